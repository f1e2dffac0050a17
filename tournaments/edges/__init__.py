"""What pages and the API share: which object is for whom, and what a refusal is answered with."""
