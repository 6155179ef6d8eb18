"""What several folders of tests share: the corpus and its runs, generators of programs and states, native runs."""
