package dev.parley.server.channel;

import dev.parley.channels.bots.BotChecks;
import dev.parley.channels.contract.Finding;
import dev.parley.platform.config.ParleyConfig;
import dev.parley.platform.config.bot.BotConfig;
import dev.parley.platform.config.secret.Secrets;
import dev.parley.server.client.RootCommand;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code parley channel check}: reports what the platforms know about the configured bots. */
@Command(
        name = "check",
        mixinStandardHelpOptions = true,
        description = "Asks the platforms about each configured bot: its identity, permissions and message delivery,"
                + " and how to fix problems. Changes nothing and shows no secrets."
                + " Exit status: 0 when all is well, 1 otherwise.")
final class CheckCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Option(names = "--bot", paramLabel = "NAME", description = "this bot only")
    private @Nullable String name;

    @Override
    public Integer call() throws InterruptedException {
        PrintWriter out = spec.commandLine().getOut();
        ParleyConfig config = ((RootCommand) spec.root().userObject()).config();
        List<BotConfig> bots = bots(config);
        if (bots.isEmpty()) {
            out.println(name == null ? "The settings have no bot." : "The settings have no bot '" + name + "'.");
            return 1;
        }
        var secrets = Secrets.ofBots(config, System.getenv());
        int problems = 0;
        for (BotConfig bot : bots) {
            out.println(bot.name());
            for (Finding finding : BotChecks.check(bot, secrets, config.tools().plugins())) {
                out.println((finding.isFine() ? "  ok   " : "  !!   ") + finding.text());
                problems += finding.isFine() ? 0 : 1;
            }
        }
        out.println(problems == 0 ? "All is well." : problems + (problems == 1 ? " problem." : " problems."));
        return problems == 0 ? 0 : 1;
    }

    private List<BotConfig> bots(ParleyConfig config) {
        return config.bots().stream()
                .filter(bot -> isMeant(bot.kind()))
                .filter(bot -> name == null || bot.name().equals(name))
                .toList();
    }

    /** As a subcommand of a kind it checks that kind only. */
    private boolean isMeant(String kind) {
        return spec.parent().userObject() instanceof ChannelCommand
                || spec.parent().name().equals(kind);
    }
}
