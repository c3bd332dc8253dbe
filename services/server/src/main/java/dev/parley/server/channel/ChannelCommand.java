package dev.parley.server.channel;

import picocli.CommandLine.Command;

/** {@code parley channel}: looks after channels. */
@Command(
        name = "channel",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND",
        description = "Looks after the bots on channels.",
        subcommands = {CheckCommand.class, TelegramCommand.class})
public final class ChannelCommand {}
