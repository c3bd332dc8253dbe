package dev.parley.channels.bots;

import dev.parley.channels.chat.Findings;
import dev.parley.channels.contract.BotCheck;
import dev.parley.channels.contract.BotCheck.Finding;
import dev.parley.channels.contract.BotKind;
import dev.parley.channels.contract.BotKindProvider;
import dev.parley.platform.config.BotConfig;
import dev.parley.platform.config.Secrets;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.stream.Collectors;

/** The kinds of bots on the class path, in its order. */
public final class BotKinds {
    private static final List<BotKind> ALL =
            ServiceLoader.load(BotKindProvider.class, BotKinds.class.getClassLoader()).stream()
                    .map(found -> found.get().kind())
                    .toList();

    private BotKinds() {}

    static Optional<BotKind> find(String name) {
        return ALL.stream().filter(kind -> kind.name().equals(name)).findFirst();
    }

    /** @throws IllegalArgumentException for an unknown kind */
    static BotKind of(String name) {
        return find(name).orElseThrow(() -> new IllegalArgumentException("unknown kind of bot: " + name));
    }

    /** The findings of the platform about a bot; for kinds without a platform, whether its secret can be read. */
    public static List<Finding> check(BotConfig bot, Secrets secrets) throws InterruptedException {
        Optional<BotCheck> check = find(bot.kind()).map(BotKind::check);
        if (check.isPresent()) {
            return check.get().of(bot, secrets);
        }
        var findings = new Findings();
        if (bot.token().isEmpty()
                || findings.secret("secret", bot.token(), secrets).isPresent()) {
            findings.fine("no platform check for bots of the kind " + bot.kind());
        }
        return findings.list();
    }

    /** The names of the kinds, as a phrase. */
    static String names() {
        String first = ALL.stream().limit(ALL.size() - 1L).map(BotKind::name).collect(Collectors.joining(", "));
        return first + " or " + ALL.getLast().name();
    }
}
