package dev.parley.platform.config;

import dev.parley.channels.contract.BotKind;
import dev.parley.channels.contract.ChannelPlugin;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The kinds of bots on the class path, in its order. Those of the folder of plug-ins are not among them. */
public final class BotKinds {
    /** The platforms. */
    public static final List<BotKindProvider> PLATFORMS = load(BotKindProvider.class);

    /** The channels on the class path that are made as those of plug-ins. */
    public static final List<ChannelPlugin> CHANNELS = load(ChannelPlugin.class);

    private static final List<BotKind> ALL = Stream.concat(
                    PLATFORMS.stream().map(BotKindProvider::kind),
                    CHANNELS.stream().flatMap(channel -> channel.description().stream()))
            .toList();

    private BotKinds() {}

    private static <T> List<T> load(Class<T> type) {
        return ServiceLoader.load(type, BotKinds.class.getClassLoader()).stream()
                .map(ServiceLoader.Provider::get)
                .toList();
    }

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
