package dev.parley.server.channel;

import picocli.CommandLine.Command;

/** {@code parley channel}: commands for the bots on channels. */
@Command(
        name = "channel",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND",
        description = "Checks the bots on channels.",
        subcommands = {CheckCommand.class, TelegramCommand.class})
public final class ChannelCommand {}
