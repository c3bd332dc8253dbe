package dev.parley.server.channel;

import dev.parley.server.Parley;
import picocli.CommandLine.Command;
import picocli.CommandLine.ParentCommand;

/** {@code parley channel}: looks after channels. */
@Command(
        name = "channel",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "CHANNEL",
        description = "Looks after the bots on channels.",
        subcommands = TelegramCommand.class)
public final class ChannelCommand {
    @ParentCommand
    private Parley parent;

    /** Made by the command line. */
    @SuppressWarnings("NullAway.Init")
    public ChannelCommand() {}

    Parley parley() {
        return parent;
    }
}
