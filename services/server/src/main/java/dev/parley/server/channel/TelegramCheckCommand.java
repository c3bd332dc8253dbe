package dev.parley.server.channel;

import dev.parley.channels.telegram.TelegramChannel;
import dev.parley.channels.telegram.TelegramCheck;
import dev.parley.channels.telegram.TelegramCheck.Finding;
import dev.parley.platform.config.BotConfig;
import dev.parley.platform.config.ParleyConfig;
import dev.parley.platform.config.Secrets;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** {@code parley channel telegram check}: says in words what Telegram knows about the bots of the settings. */
@Command(
        name = "check",
        mixinStandardHelpOptions = true,
        description =
                "Asks Telegram about each bot of the settings: who it is, what it sees in groups, how its messages"
                        + " come, whether its commands are registered. Changes nothing. 0 when all is well, else 1.")
final class TelegramCheckCommand implements Callable<Integer> {
    @ParentCommand
    private TelegramCommand parent;

    @Spec
    private CommandSpec spec;

    @Option(names = "--bot", paramLabel = "NAME", description = "this bot only")
    private @Nullable String name;

    @SuppressWarnings("NullAway.Init")
    TelegramCheckCommand() {}

    @Override
    public Integer call() throws InterruptedException {
        PrintWriter out = spec.commandLine().getOut();
        ParleyConfig config = parent.parley().config();
        List<BotConfig> bots = config.bots().stream()
                .filter(bot -> bot.kind().equals(TelegramChannel.KIND))
                .filter(bot -> name == null || bot.name().equals(name))
                .toList();
        if (bots.isEmpty()) {
            out.println(name == null ? "The settings have no bot." : "The settings have no bot '" + name + "'.");
            return 1;
        }
        var secrets = Secrets.ofBots(config, System.getenv());
        int problems = 0;
        for (BotConfig bot : bots) {
            out.println(bot.name());
            for (Finding finding : TelegramCheck.of(bot, secrets)) {
                out.println((finding.isFine() ? "  ok   " : "  !!   ") + finding.text());
                problems += finding.isFine() ? 0 : 1;
            }
        }
        out.println(problems == 0 ? "All is well." : problems + (problems == 1 ? " problem." : " problems."));
        return problems == 0 ? 0 : 1;
    }
}
