"""Elementary theorems of probability, proved for any process or variable; claims use them for theirs."""
