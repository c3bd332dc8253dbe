package dev.parley.channels.bots;

import dev.parley.channels.chat.Findings;
import dev.parley.channels.contract.BotCheck;
import dev.parley.channels.contract.BotCheck.Finding;
import dev.parley.channels.contract.BotKind;
import dev.parley.channels.discord.DiscordChannel;
import dev.parley.channels.slack.SlackChannel;
import dev.parley.channels.telegram.TelegramChannel;
import dev.parley.channels.webhook.WebhookChannel;
import dev.parley.platform.config.BotConfig;
import dev.parley.platform.config.Secrets;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** The kinds of bots that there are. */
public final class BotKinds {
    private static final List<BotKind> ALL =
            List.of(TelegramChannel.BOTS, SlackChannel.BOTS, DiscordChannel.BOTS, WebhookChannel.BOTS);

    private BotKinds() {}

    static Optional<BotKind> find(String name) {
        return ALL.stream().filter(kind -> kind.name().equals(name)).findFirst();
    }

    /** @throws IllegalArgumentException where there is none of this name */
    static BotKind of(String name) {
        return find(name).orElseThrow(() -> new IllegalArgumentException("no kind of bots: " + name));
    }

    /** What its platform says about a bot, where there is one that can be asked; else whether its secret is there. */
    public static List<Finding> check(BotConfig bot, Secrets secrets) throws InterruptedException {
        Optional<BotCheck> check = find(bot.kind()).map(BotKind::check);
        if (check.isPresent()) {
            return check.get().of(bot, secrets);
        }
        var findings = new Findings();
        if (bot.token().isEmpty()
                || findings.secret("secret", bot.token(), secrets).isPresent()) {
            findings.fine("nobody can be asked about bots of the kind " + bot.kind());
        }
        return findings.list();
    }

    /** Their names, for people. */
    static String names() {
        String first = ALL.stream().limit(ALL.size() - 1L).map(BotKind::name).collect(Collectors.joining(", "));
        return first + " or " + ALL.getLast().name();
    }
}
