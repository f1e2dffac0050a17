"""Addresses of events."""

from django.urls import path as any_path

from tournaments.urls.event_path import path
from tournaments.views import limits
from tournaments.views.events import (
    calendar,
    chat,
    claims,
    entries,
    entry_comparison,
    entry_merge,
    forecasts,
    imports,
    live_boards,
    organise,
    pages,
    player_reports,
    printing,
    prizes,
    results,
    rounds,
    screens,
    teams,
)
from tournaments.views.events.desk import draft, fees, log, settings
from tournaments.views.events.desk import page as desk
from tournaments.views.events.desk import prizes as desk_prizes

urlpatterns = [
    path("calendar/", calendar.page, name="calendar"),
    path("calendar/past/", calendar.past, name="calendar-past"),
    path("calendar.ics", calendar.file, name="calendar-file"),
    path("events/", pages.index, name="events"),
    *limits.forms(limits.EVENTS, path("events/new/", organise.new, name="event-new")),
    *limits.forms(limits.EVENT_LOOKS, path("events/import/", imports.report, name="event-import")),
    *limits.pages(limits.FORECASTS, path("events/plan/", forecasts.plan, name="event-plan")),
    path("events/plan/<slug:key>/", forecasts.plan_live, name="event-plan-live"),
    path("events/<slug:slug>/forecast/", forecasts.event, name="event-forecast"),
    path("events/<slug:slug>/print/", printing.index, name="event-print"),
    path("events/<slug:slug>/print/<slug:kind>/", printing.sheet, name="event-sheet"),
    path(
        "events/<slug:slug>/print/<slug:kind>/<int:number>/",
        printing.sheet,
        name="event-sheet-of-round",
    ),
    path("events/<slug:slug>/screen/", screens.screen, name="event-screen"),
    path("embed/event/<slug:slug>/", screens.embed, name="embed-event"),
    path("events/<slug:slug>/", pages.overview, name="event"),
    path("events/<slug:slug>/live/", pages.live, name="event-live"),
    path("events/<slug:slug>/boards/", live_boards.boards, name="event-boards"),
    path("events/<slug:slug>/pairings/", rounds.pairings, name="event-pairings"),
    path("events/<slug:slug>/pairings/<int:number>/", rounds.pairings, name="event-round"),
    *limits.pages(
        limits.COMPUTATIONS,
        path(
            "events/<slug:slug>/pairings/<int:number>/problem/",
            rounds.problem,
            name="round-problem",
        ),
        path("events/<slug:slug>/pairings/<int:number>/again/", rounds.again, name="round-verify"),
        path(
            "events/<slug:slug>/pairings/<int:number>/boards/<int:board>/",
            rounds.board,
            name="event-board",
        ),
        path(
            "events/<slug:slug>/pairings/<int:number>/byes/<int:tpn>/",
            rounds.bye,
            name="event-bye-why",
        ),
        path("events/<slug:slug>/prizes/", prizes.overview, name="event-prizes"),
    ),
    path("events/<slug:slug>/club-table/", pages.club_table, name="event-club-table"),
    path("events/<slug:slug>/categories/", pages.category_tables, name="event-categories"),
    path("events/<slug:slug>/teams/", teams.page, name="event-teams"),
    path("events/<slug:slug>/chat/", chat.live, name="event-chat"),
    *limits.forms(limits.OFFERS, path("events/<slug:slug>/say/", chat.say, name="event-say")),
    *limits.forms(
        limits.DESK, path("events/<slug:slug>/chat/act/", chat.act, name="event-chat-act")
    ),
    path("events/<slug:slug>/standings/", pages.standings, name="event-standings"),
    path("events/<slug:slug>/strengths/", pages.strength, name="event-strengths"),
    path("events/<slug:slug>/draw/", pages.draw, name="event-draw"),
    path("events/<slug:slug>/crosstable/", pages.crosstable, name="event-crosstable"),
    *limits.forms(
        limits.ENTRIES,
        path("events/<slug:slug>/enter/", pages.enter, name="event-enter"),
        path("events/<slug:slug>/withdraw/", pages.withdraw, name="event-withdraw"),
        path("events/<slug:slug>/bye/", pages.request_bye, name="event-bye"),
        path("events/<slug:slug>/bye/<int:number>/", pages.cancel_bye, name="event-bye-cancel"),
        path("events/<slug:slug>/check-in/", pages.check_in_self, name="event-check-in"),
        path("events/<slug:slug>/claim/", claims.claim, name="event-claim"),
        path("events/<slug:slug>/teams/act/", teams.act, name="event-team-act"),
        path("events/<slug:slug>/teams/line-up/", teams.line_up, name="event-line-up"),
    ),
    *limits.forms(
        limits.CORRECTIONS,
        path("events/<slug:slug>/organise/", organise.act, name="event-act"),
        path("events/<slug:slug>/desk/draft/", draft.draft, name="event-draft"),
        path("events/<slug:slug>/log/<int:pk>/", log.undo_action, name="event-undo"),
        path("events/<slug:slug>/results/<int:number>/close/", results.close, name="round-close"),
    ),
    path("events/<slug:slug>/desk/", desk.desk, name="event-desk"),
    *limits.forms(
        limits.DESK,
        path("events/<slug:slug>/desk/entry/", desk.entry_act, name="event-desk-entry"),
        path("events/<slug:slug>/desk/enter/", desk.enter, name="event-enter-player"),
        path("events/<slug:slug>/desk/announce/", desk.announce, name="event-announce"),
        path("events/<slug:slug>/desk/staff/", desk.add_staff, name="event-staff-add"),
        path(
            "events/<slug:slug>/desk/staff/<int:pk>/", desk.remove_staff, name="event-staff-remove"
        ),
        path("events/<slug:slug>/desk/fees/set/", fees.set_state, name="event-fee-set"),
        path("events/<slug:slug>/desk/settings/", settings.settings_page, name="event-settings"),
        path("events/<slug:slug>/desk/times/", settings.round_times, name="event-round-times"),
        path("events/<slug:slug>/desk/prizes/act/", desk_prizes.act, name="event-prizes-act"),
        path("events/<slug:slug>/entries/report.trf", entries.report, name="event-entries-report"),
        path("events/<slug:slug>/entries/add/", entries.add, name="event-entry-add"),
        path("events/<slug:slug>/entries/preview/", entries.preview, name="event-entries-preview"),
        path("events/<slug:slug>/entries/confirm/", entries.confirm, name="event-entries-confirm"),
        path(
            "events/<slug:slug>/entries/take-over/",
            entry_comparison.take_over,
            name="event-entries-take-over",
        ),
        path("events/<slug:slug>/entries/<int:pk>/", entries.edit, name="event-entry-edit"),
        path(
            "events/<slug:slug>/entries/<int:pk>/remove/", entries.remove, name="event-entry-remove"
        ),
        path("events/<slug:slug>/claims/<int:pk>/", claims.answer, name="event-claim-answer"),
        path("events/<slug:slug>/results/enter/", results.enter, name="event-result-enter"),
        path("events/<slug:slug>/forbid/", organise.forbid, name="event-forbid"),
        path("events/<slug:slug>/allow/<int:pk>/", organise.allow, name="event-allow"),
    ),
    *limits.forms(
        limits.RESULT_REPORTS,
        # The secret address opens private events too.
        any_path("report/<slug:token>/", player_reports.page, name="result-report"),
    ),
    path("events/<slug:slug>/desk/fees/", fees.page, name="event-fees"),
    path("events/<slug:slug>/desk/fees.csv", fees.table_csv, name="event-fees-csv"),
    path("events/<slug:slug>/desk/prizes/", desk_prizes.prize_fund, name="event-desk-prizes"),
    path("events/<slug:slug>/log/", log.log, name="event-log"),
    path("events/<slug:slug>/entries/", entries.desk, name="event-entries"),
    path("events/<slug:slug>/entries/rated/", entries.rated, name="event-rated"),
    path("events/<slug:slug>/entries/merge/", entry_merge.page, name="event-entries-merge"),
    path(
        "events/<slug:slug>/entries/compare/",
        entry_comparison.page,
        name="event-entries-compare",
    ),
    path("events/<slug:slug>/results/", results.desk, name="event-results"),
]
