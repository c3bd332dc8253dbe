package dev.parley.eval;

import dev.parley.server.Program;
import picocli.CommandLine.Command;

/** {@code parley eval}: evaluations of quality. */
@Command(
        name = "eval",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "EVALUATION",
        description = "Measures the quality of recall on your data, without model calls and downloads.",
        subcommands = EvalRecall.class)
public final class EvalCommand implements Program {}
