package dev.parley.server.eval;

import picocli.CommandLine.Command;

/** {@code parley eval}: measures how good something is, and prints what it measured with. */
@Command(
        name = "eval",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "EVALUATION",
        description = "Measures how good Parley is, on your data. No model is called and nothing is fetched.",
        subcommands = EvalRecall.class)
public final class EvalCommand {}
