package dev.parley.server.channel;

import dev.parley.server.Parley;
import picocli.CommandLine.Command;
import picocli.CommandLine.ParentCommand;

/** {@code parley channel telegram}. */
@Command(
        name = "telegram",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND",
        description = "Looks after the bots on Telegram.",
        subcommands = TelegramCheckCommand.class)
final class TelegramCommand {
    @ParentCommand
    private ChannelCommand parent;

    @SuppressWarnings("NullAway.Init")
    TelegramCommand() {}

    Parley parley() {
        return parent.parley();
    }
}
