package dev.parley.server.channel;

import picocli.CommandLine.Command;

/**
 * {@code parley channel telegram check}, the command of 0.1.0: {@code parley channel check} of the bots on Telegram.
 */
@Command(
        name = "telegram",
        hidden = true,
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND",
        description = "Looks after the bots on Telegram.",
        subcommands = CheckCommand.class)
final class TelegramCommand {}
