"""unfork in editors and for agents: two servers over scans, runs, proofs and replays in child processes."""
