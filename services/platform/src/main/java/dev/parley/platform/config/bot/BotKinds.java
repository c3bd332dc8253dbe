package dev.parley.platform.config.bot;

import dev.parley.channels.contract.BotKind;
import dev.parley.channels.contract.ChannelPlugin;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.stream.Collectors;

/** The kinds of bots on the class path, in its order. Those of the folder of plug-ins are not among them. */
public final class BotKinds {
    /** The channels on the class path. */
    public static final List<ChannelPlugin> CHANNELS =
            ServiceLoader.load(ChannelPlugin.class, BotKinds.class.getClassLoader()).stream()
                    .map(ServiceLoader.Provider::get)
                    .toList();

    private static final List<BotKind> ALL =
            CHANNELS.stream().flatMap(channel -> channel.description().stream()).toList();

    private BotKinds() {}

    /** The kind of this name, if there is one. */
    public static Optional<BotKind> find(String name) {
        return ALL.stream().filter(kind -> kind.name().equals(name)).findFirst();
    }

    /** @throws IllegalArgumentException for an unknown kind */
    public static BotKind of(String name) {
        return find(name).orElseThrow(() -> new IllegalArgumentException("unknown kind of bot: " + name));
    }

    /** The names of the kinds, as a phrase. */
    public static String names() {
        String first = ALL.stream().limit(ALL.size() - 1L).map(BotKind::name).collect(Collectors.joining(", "));
        return first + " or " + ALL.getLast().name();
    }
}
