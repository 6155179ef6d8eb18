"""What is asked of a state: contracts and invariants, read in it; where proofs cut paths; and how claims are proved."""
