package dev.parley.channels.bots;

import dev.parley.channels.chat.Findings;
import dev.parley.channels.contract.BotKind;
import dev.parley.channels.contract.ChannelPlugin;
import dev.parley.channels.contract.Finding;
import dev.parley.channels.plugin.BotView;
import dev.parley.platform.config.BotConfig;
import dev.parley.platform.config.Secrets;
import dev.parley.platform.http.AddressGuard;
import dev.parley.platform.plugin.PluginFolder;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The kinds of bots on the class path, in its order. */
public final class BotKinds {
    private static final List<ChannelPlugin> CHANNELS =
            ServiceLoader.load(ChannelPlugin.class, BotKinds.class.getClassLoader()).stream()
                    .map(ServiceLoader.Provider::get)
                    .toList();
    private static final List<BotKind> ALL =
            CHANNELS.stream().flatMap(channel -> channel.description().stream()).toList();

    private BotKinds() {}

    /** The channels on the class path. */
    static List<ChannelPlugin> channels() {
        return CHANNELS;
    }

    static Optional<BotKind> find(String name) {
        return ALL.stream().filter(kind -> kind.name().equals(name)).findFirst();
    }

    /** @throws IllegalArgumentException for an unknown kind */
    static BotKind of(String name) {
        return find(name).orElseThrow(() -> new IllegalArgumentException("unknown kind of bot: " + name));
    }

    /**
     * The findings of the platform about a bot, whose token its check reads; for kinds without a platform, whether its
     * secret can be read, and what the channel finds.
     *
     * @param plugins folder of plug-ins, or null
     */
    public static List<Finding> check(BotConfig bot, Secrets secrets, @Nullable Path plugins)
            throws InterruptedException {
        if (bot.settings() == null && of(bot.kind()).isPlatform()) {
            return checkChannel(bot, secrets, plugins);
        }
        var findings = new Findings();
        if (bot.token().isEmpty()
                || findings.secret("secret", () -> secrets.get(bot.token())).isPresent()) {
            List<Finding> found = checkChannel(bot, secrets, plugins);
            found.forEach(finding -> findings.add(finding.isFine(), finding.text()));
            if (found.isEmpty()) {
                findings.fine("no platform check for bots of the kind " + bot.kind());
            }
        }
        return findings.list();
    }

    private static List<Finding> checkChannel(BotConfig bot, Secrets secrets, @Nullable Path plugins)
            throws InterruptedException {
        try (PluginFolder<ChannelPlugin> folder =
                PluginFolder.load(bot.settings() == null ? null : plugins, ChannelPlugin.class)) {
            Optional<ChannelPlugin> channel = Stream.concat(
                            CHANNELS.stream(), folder.offers().stream().map(PluginFolder.Offer::instance))
                    .filter(plugin -> plugin.kind().equals(bot.kind()))
                    .findFirst();
            return channel.isEmpty()
                    ? List.of()
                    : channel.get().check(new BotView(bot, secrets::get, AddressGuard.ofOperators()));
        } catch (RuntimeException | LinkageError e) {
            return List.of(new Finding(false, "its plug-in has a fault: " + e));
        }
    }

    /** The names of the kinds, as a phrase. */
    static String names() {
        String first = ALL.stream().limit(ALL.size() - 1L).map(BotKind::name).collect(Collectors.joining(", "));
        return first + " or " + ALL.getLast().name();
    }
}
