#!/usr/bin/perl
# Plays Morlox in a language without our rules: it has its own. Flips a stone when it can, else places one anywhere.
use strict;
use warnings;

$| = 1;    # flush after every line, or the referee waits for ever

my @ORTHOGONAL = ([0, 1], [1, 0], [0, -1], [-1, 0]);    # north, east, south, west
my ($size, %stone, $turn) = (0);                        # $stone{"file,rank"} is "b" or "w"

# Whether the first stone seen from a square in a direction is of this colour.
sub sees {
    my ($file, $rank, $direction, $colour) = @_;
    my ($right, $up) = @$direction;
    while (1) {
        $file += $right;
        $rank += $up;
        return 0 if $file < 0 || $rank < 0 || $file >= $size || $rank >= $size;
        my $seen = $stone{"$file,$rank"};
        return $seen eq $colour if $seen;
    }
}

# Whether a colour controls a square: it sees three orthogonally, or two from the perimeter, or two neighbouring ones
# with the two diagonals that touch one of them each.
sub controls {
    my ($colour, $file, $rank) = @_;
    my @sees = map { sees($file, $rank, $_, $colour) } @ORTHOGONAL;
    my $count = grep { $_ } @sees;
    my $is_edge = $file == 0 || $rank == 0 || $file == $size - 1 || $rank == $size - 1;
    return 1 if $count >= 3 || ($is_edge && $count >= 2);
    for my $k (0 .. 3) {
        my ($one, $other) = @ORTHOGONAL[$k, ($k + 1) % 4];
        next unless $sees[$k] && $sees[($k + 1) % 4];
        my @diagonals = ([$one->[0] - $other->[0], $one->[1] - $other->[1]],
            [$other->[0] - $one->[0], $other->[1] - $one->[1]]);
        return 1 unless grep { !sees($file, $rank, $_, $colour) } @diagonals;
    }
    return 0;
}

# The flips and the placements of the side to move.
sub moves {
    my $enemy = $turn eq "b" ? "w" : "b";
    my (@flips, @placements);
    for my $file (0 .. $size - 1) {
        for my $rank (0 .. $size - 1) {
            my $here = $stone{"$file,$rank"} // "";
            my $name = chr(97 + $file) . ($rank + 1);
            push @flips, "${name}x" if $here eq $enemy && controls($turn, $file, $rank);
            push @placements, $name if !$here && !controls($enemy, $file, $rank);
        }
    }
    return (\@flips, \@placements);
}

# Place the stones of a FEN: rows from the top, then the colour to move.
sub set_up {
    (my $rows, $turn) = split /_/, $_[0];
    %stone = ();
    my $rank = $size;
    for my $row (split m{/}, $rows) {
        my @squares = split //, $row;
        $rank--;
        $squares[$_] ne "." and $stone{"$_,$rank"} = $squares[$_] for 0 .. $#squares;
    }
}

sub play {
    my ($move) = @_;
    return if $move eq "swap";    # persons exchange colours: the same colour is to move
    $stone{(ord($1) - 97) . "," . ($2 - 1)} = $turn if $move =~ /^([a-z])(\d+)x?$/;
    $turn = $turn eq "b" ? "w" : "b";
}

while (my $line = <STDIN>) {
    my @words = split ' ', $line;
    my $word = shift @words // next;
    if ($word eq "ugi") {
        print "id name morlox.pl\nugiok\n";
    } elsif ($word eq "setoption" && $words[1] eq "Game") {
        ($size) = $words[3] =~ /^morlox\(.*size=(\d+)/ or die "I play Morlox only, not $words[3]\n";
    } elsif ($word eq "isready") {
        print "readyok\n";
    } elsif ($word eq "position") {    # `startpos`, or `fen` in a match that begins from an opening
        set_up(shift(@words) eq "fen" ? shift @words : "_b");
        play($_) for @words[1 .. $#words];
    } elsif ($word eq "go") {
        my ($flips, $placements) = moves();
        my $choices = @$flips ? $flips : @$placements ? $placements : ["pass"];
        print "bestmove $choices->[rand @$choices]\n";
    } elsif ($word eq "quit") {
        last;
    }
}
