package dev.parley.channels.plugin;

import dev.parley.channels.contract.Channel;
import dev.parley.channels.contract.ChannelPlugin;
import dev.parley.platform.config.BotConfig;
import dev.parley.platform.plugin.PluginFolder;
import dev.parley.platform.plugin.PluginFolder.Offer;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The channel kinds of this instance: built-in ones and those of plug-ins. */
public final class ChannelKinds implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ChannelKinds.class);
    private static final Pattern KIND = Pattern.compile("[a-z][a-z0-9_-]{0,30}");

    private static final Pattern PATH = Pattern.compile("(?!v\\d)[a-z][a-z0-9/-]{0,60}");

    private final PluginFolder<ChannelPlugin> folder;
    private final Map<String, Channel> builtIn;
    private final Map<String, PluginChannel> ofPlugins = new TreeMap<>();
    private final PluginBots bots;

    /**
     * @param own channels of Parley that are plug-ins on its class path
     * @param folder the loaded plug-ins; closed with this
     */
    public ChannelKinds(
            Collection<Channel> builtIn, List<ChannelPlugin> own, PluginFolder<ChannelPlugin> folder, PluginBots bots) {
        this.builtIn = builtIn.stream().collect(Collectors.toMap(Channel::kind, Function.identity()));
        own.forEach(channel -> this.builtIn.put(
                channel.kind(), new PluginChannel(channel.kind(), new Offer<>(channel, channel.kind()), bots)));
        this.folder = folder;
        this.bots = bots;
        folder.offers().forEach(this::tryAdd);
    }

    private void tryAdd(Offer<ChannelPlugin> offer) {
        try {
            add(offer);
        } catch (RuntimeException | LinkageError e) {
            LOG.atError().addKeyValue("plugin", offer.plugin()).setCause(e).log("plug-in channel is not available");
        }
    }

    private void add(Offer<ChannelPlugin> offer) {
        String kind = offer.instance().kind();
        PluginChannel other = ofPlugins.get(kind);
        if (!KIND.matcher(kind).matches() || builtIn.containsKey(kind) || other != null) {
            String reason = other != null
                    ? other.plugin() + " already provides this kind"
                    : builtIn.containsKey(kind) ? "Parley provides this kind itself" : "its kind is not a valid name";
            LOG.atError()
                    .addKeyValue("plugin", offer.plugin())
                    .log("the channel '{}' of {} is not available: {}", kind, offer.plugin(), reason);
            return;
        }
        ofPlugins.put(kind, new PluginChannel(kind, offer, bots));
    }

    /** The channel of a bot. A missing plug-in becomes the problem of the bot, and its messages stay pending. */
    public Optional<Channel> of(BotConfig bot) {
        if (bot.settings() == null) {
            return Optional.ofNullable(builtIn.get(bot.kind()));
        }
        Channel channel = ofPlugins.get(bot.kind());
        return Optional.of(channel == null ? new MissingChannel(bot.kind(), missing(bot.kind())) : channel);
    }

    /** The channels that the other side reaches over HTTP, by kind; of several with one path the first. */
    Map<String, PluginChannel> reachable() {
        var reachable = new LinkedHashMap<String, PluginChannel>();
        var paths = new HashSet<String>();
        Stream.concat(builtIn.values().stream(), ofPlugins.values().stream())
                .filter(PluginChannel.class::isInstance)
                .map(PluginChannel.class::cast)
                .forEach(channel -> channel.inbound()
                        .filter(http -> PATH.matcher(http.path()).matches() && paths.add(http.path()))
                        .ifPresentOrElse(
                                _ -> reachable.put(channel.kind(), channel),
                                () -> LOG.atDebug()
                                        .addKeyValue("channel", channel.kind())
                                        .log("nothing is posted to this channel")));
        return reachable;
    }

    private String missing(String kind) {
        var kinds = new TreeSet<>(builtIn.keySet());
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
