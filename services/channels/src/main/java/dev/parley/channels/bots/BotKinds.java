package dev.parley.channels.bots;

import dev.parley.channels.contract.BotKind;
import dev.parley.channels.discord.DiscordChannel;
import dev.parley.channels.slack.SlackChannel;
import dev.parley.channels.telegram.TelegramChannel;
import dev.parley.channels.webhook.WebhookChannel;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** The kinds of bots that there are. */
final class BotKinds {
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

    /** Their names, for people. */
    static String names() {
        String first = ALL.stream().limit(ALL.size() - 1L).map(BotKind::name).collect(Collectors.joining(", "));
        return first + " or " + ALL.getLast().name();
    }
}
