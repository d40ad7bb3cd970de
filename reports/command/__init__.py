"""Audits from the command line, of tables of any size: the evidence, a verdict, a report, and an exit code.

  python -m losses audit losses.parquet
  python -m losses audit train.csv.gz --population test.csv.gz --estimate none
  python -m losses audit runs/ --loss nll --membership split=train --report audit.html
  python -m losses audit all.parquet --model epoch
  python -m losses audit schema.losses --engine postgres://host/base --max-epsilon-star 1.0
  python -m losses audit predictions.csv
  python -m losses audit lira.npz --json
  python -m losses audit canaries.csv --evidence canaries --claim epsilon=2,delta=1e-5 --confirm

Of losses, and of predictions with the right answers, what is certain comes first: a lower bound on Epsilon* that holds
with its confidence. Estimates stand below it, each with what it is worth. A normal fit needs to know what the losses
are: --unit. Of several models in one table the bounds hold together.

Of scores of an attack on one model: how many members it names. With --claim the scores are of canaries of one run, or
of runs with and without a record, and a promise is tested. Canaries prove an epsilon at --delta without a promise, too.

Exit codes: 0 done, and within the limit if there is one, and the promise is not refuted; 1 the lower bound or an
estimate that was asked for exceeds --max-epsilon-star, or the promise is refuted; 2 the command or the data cannot be
used, with a message that says why, or the limit is undecided: the bound keeps it, and the estimate asked for could not
be made, or there are too few rows to test the promise; 3 a fault of this program; 130 interrupted.
"""
