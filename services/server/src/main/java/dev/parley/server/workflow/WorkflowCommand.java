package dev.parley.server.workflow;

import picocli.CommandLine.Command;

/** {@code parley workflow}: looks after workflows. */
@Command(
        name = "workflow",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND",
        description = "Checks and draws definitions of workflows, and runs them against recorded answers.",
        subcommands = {WorkflowValidateCommand.class, WorkflowTestCommand.class, WorkflowDiagramCommand.class})
public final class WorkflowCommand {
    /** Made by the command line. */
    public WorkflowCommand() {}
}
