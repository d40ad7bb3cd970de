"""What an audit found, as a document: one frozen value for every kind of evidence, and its writers.

==================================================  ==================================================
What is in a report?                                ``audit_report.AuditReport``
One run with canaries, held against a promise       ``promises.report_of_canaries(guesses, claim, ...)``
Many runs with and without a record                 ``promises.report_of_runs(verdict, data)``
Attack scores of one model                          ``attack_scores.report(found, data)``
A model's losses                                    ``losses_audit.report(measured)``
As a sheet to print                                 ``sheet.of_audit(report).html``
For a program, field by field                       ``json_file.text(report)``
For a terminal                                      ``plain_text.text(report)``
==================================================  ==================================================

The pages and the command (``python -m losses audit``) build the same value and share the writers.
"""
