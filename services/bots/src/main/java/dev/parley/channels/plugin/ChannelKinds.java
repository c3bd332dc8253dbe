package dev.parley.channels.plugin;

import dev.parley.channels.contract.ChannelPlugin;
import dev.parley.channels.contract.InboundHttp;
import dev.parley.platform.config.bot.BotConfig;
import dev.parley.platform.plugin.PluginFolder;
import dev.parley.platform.plugin.PluginFolder.Offer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The channel kinds of this instance: those of Parley's class path and those of the folder of plug-ins. */
public final class ChannelKinds implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ChannelKinds.class);
    private static final Pattern KIND = Pattern.compile("[a-z][a-z0-9_-]{0,30}");

    private static final Pattern PATH = Pattern.compile("[a-z][a-z0-9/-]{0,60}");

    private final PluginFolder<ChannelPlugin> folder;
    private final PluginBots bots;
    private final Set<String> ownPaths;
    private final Map<String, PluginChannel> own = new TreeMap<>();
    private final Map<String, PluginChannel> ofPlugins = new TreeMap<>();
    /** The reasons why channels of plug-ins are not available, by kind. */
    private final Map<String, String> rejected = new HashMap<>();

    /**
     * @param own the channels of Parley's class path
     * @param folder the loaded plug-ins; closed with this
     * @param ownPaths how the paths of Parley's own routes begin, see {@link OwnPaths}
     * @throws IllegalStateException where channels of the class path have one kind or path
     */
    public ChannelKinds(
            List<ChannelPlugin> own, PluginFolder<ChannelPlugin> folder, PluginBots bots, Set<String> ownPaths) {
        this.folder = folder;
        this.bots = bots;
        this.ownPaths = ownPaths;
        own.forEach(channel -> add(new Offer<>(channel, "Parley"), this.own).ifPresent(problem -> {
            throw new IllegalStateException("the channel '%s' is not available: %s".formatted(channel.kind(), problem));
        }));
        folder.offers().forEach(this::tryAdd);
    }

    private void tryAdd(Offer<ChannelPlugin> offer) {
        try {
            add(offer, ofPlugins).ifPresent(problem -> {
                String kind = offer.instance().kind();
                String text = "the channel '%s' of %s is not available: %s".formatted(kind, offer.plugin(), problem);
                rejected.putIfAbsent(kind, text);
                LOG.atError().addKeyValue("plugin", offer.plugin()).log(text);
            });
        } catch (RuntimeException | LinkageError e) {
            LOG.atError().addKeyValue("plugin", offer.plugin()).setCause(e).log("plug-in channel is not available");
        }
    }

    /** Adds a channel; returns the problem where it cannot be. */
    private Optional<String> add(Offer<ChannelPlugin> offer, Map<String, PluginChannel> to) {
        String kind = offer.instance().kind();
        @Nullable InboundHttp inbound = offer.instance().inbound().orElse(null);
        Optional<String> problem =
                kindProblem(kind).or(() -> inbound == null ? Optional.empty() : pathProblem(inbound.path()));
        if (problem.isEmpty()) {
            to.put(kind, new PluginChannel(kind, offer, bots, inbound));
        }
        return problem;
    }

    private Optional<String> kindProblem(String kind) {
        PluginChannel other = ofPlugins.get(kind);
        if (other != null) {
            return Optional.of(other.plugin() + " already provides this kind");
        }
        if (own.containsKey(kind)) {
            return Optional.of("Parley provides this kind itself");
        }
        return KIND.matcher(kind).matches() ? Optional.empty() : Optional.of("its kind is not a valid name");
    }

    /** Two channels with one path would get each other's requests, and one of Parley's own paths would be ambiguous. */
    private Optional<String> pathProblem(String path) {
        if (!PATH.matcher(path).matches()) {
            return Optional.of("its path '%s' is not a valid one".formatted(path));
        }
        if (ownPaths.contains(path.split("/", 2)[0])) {
            return Optional.of("its path /%s begins as routes of Parley do".formatted(path));
        }
        return reachable()
                .filter(other -> other.path().equals(path))
                .map(other -> "its path /%s is that of the channel '%s'".formatted(path, other.kind()))
                .findFirst();
    }

    /** The channel of a bot. A missing plug-in becomes the problem of the bot, and its messages stay pending. */
    public Optional<PluginChannel> of(BotConfig bot) {
        if (!bot.isOfPlugin()) {
            return Optional.ofNullable(own.get(bot.kind()));
        }
        PluginChannel channel = ofPlugins.get(bot.kind());
        return Optional.of(channel == null ? missing(bot.kind()) : channel);
    }

    /** The channels that the other side reaches over HTTP, each at a path of its own. */
    Stream<Reachable> reachable() {
        return Stream.concat(own.values().stream(), ofPlugins.values().stream())
                .flatMap(channel -> Stream.ofNullable(channel.inbound()).map(http -> new Reachable(channel, http)));
    }

    /** A channel, and how it is reached. */
    record Reachable(PluginChannel channel, InboundHttp http) {
        String kind() {
            return channel.kind();
        }

        String path() {
            return http.path();
        }
    }

    private PluginChannel missing(String kind) {
        String problem = rejected.getOrDefault(kind, unknown(kind));
        return new PluginChannel(kind, new Offer<>(new MissingChannel(kind, problem), kind), bots, null);
    }

    private String unknown(String kind) {
        var kinds = new TreeSet<>(own.keySet());
        kinds.addAll(ofPlugins.keySet());
        var message = new StringBuilder(
                "no plug-in provides the kind '%s'; available kinds: %s".formatted(kind, String.join(", ", kinds)));
        if (!folder.brokenPlugins().isEmpty()) {
            message.append("; broken: ").append(String.join(", ", folder.brokenPlugins()));
        }
        return message.toString();
    }

    /** Unloads the plug-ins, after their bots were closed. */
    @Override
    public void close() {
        folder.close();
    }
}
