package dev.parley.channels.plugin;

import dev.parley.channels.contract.Channel;
import dev.parley.channels.contract.ChannelBot;
import dev.parley.channels.contract.ChannelPlugin;
import dev.parley.channels.contract.Connection;
import dev.parley.channels.contract.InboundHttp;
import dev.parley.channels.contract.Intake;
import dev.parley.platform.config.BotConfig;
import dev.parley.platform.plugin.PluginFolder.Offer;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A channel of a plug-in. A bot that it fails to start within 10 s is reported as broken; other bots are unaffected.
 */
record PluginChannel(String kind, Offer<ChannelPlugin> offer, PluginBots bots) implements Channel {
    private static final Logger LOG = LoggerFactory.getLogger(PluginChannel.class);
    private static final Duration START_TIMEOUT = Duration.ofSeconds(10);

    /** The jar or folder of the plug-in. */
    String plugin() {
        return offer.plugin();
    }

    @Override
    public Optional<String> privateChat(String user) {
        try {
            return offer.instance().privateChat(user);
        } catch (RuntimeException | LinkageError | StackOverflowError | AssertionError e) {
            LOG.atWarn().addKeyValue("plugin", offer.plugin()).setCause(e).log("plug-in fault");
            return Optional.empty();
        }
    }

    /** How the other side reaches the channel; empty also where the plug-in cannot say. */
    Optional<InboundHttp> inbound() {
        try {
            return offer.instance().inbound();
        } catch (RuntimeException | LinkageError | StackOverflowError | AssertionError e) {
            LOG.atError().addKeyValue("plugin", offer.plugin()).setCause(e).log("plug-in fault");
            return Optional.empty();
        }
    }

    /** The bot as the channel sees it, on any instance. */
    ChannelBot bot(BotConfig bot, Intake intake) {
        return bots.bot(bot, intake);
    }

    @Override
    public Connection connect(BotConfig bot, Intake intake) {
        var connection = new CompletableFuture<Connection>();
        Thread thread = start(bot.name(), () -> connectInto(connection, bot, intake));
        try {
            return new PluginConnection(
                    offer.plugin(), connection.get(START_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS));
        } catch (ExecutionException e) {
            return brokenConnection(bot, "does not start: " + reason(e), e);
        } catch (TimeoutException e) {
            abandon(thread, connection);
            return brokenConnection(bot, "did not start within " + START_TIMEOUT.toSeconds() + " s", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            abandon(thread, connection);
            return brokenConnection(bot, "was not started", e);
        }
    }

    private void connectInto(CompletableFuture<Connection> connection, BotConfig bot, Intake intake) {
        try {
            connection.complete(
                    Objects.requireNonNull(offer.instance().connect(bots.bot(bot, intake)), "no connection"));
        } catch (RuntimeException | LinkageError | StackOverflowError | AssertionError e) {
            connection.completeExceptionally(e);
        }
    }

    /** Interrupts the start; a connection that comes late is closed. */
    private static void abandon(Thread starting, CompletableFuture<Connection> connection) {
        starting.interrupt();
        var _ = connection.thenAccept(Connection::close);
    }

    /**
     * The message of an {@code IllegalArgumentException} is written for operators; of other faults the type says more.
     */
    private static String reason(ExecutionException e) {
        Throwable cause = e.getCause();
        return cause instanceof IllegalArgumentException ? String.valueOf(cause.getMessage()) : String.valueOf(cause);
    }

    private Connection brokenConnection(BotConfig bot, String problem, Throwable cause) {
        LOG.atError()
                .addKeyValue("bot", bot.name())
                .addKeyValue("plugin", offer.plugin())
                .setCause(cause)
                .log("plug-in bot failed to start");
        return new BrokenConnection("the plug-in %s %s".formatted(offer.plugin(), problem));
    }

    /** Plug-in threads have the class loader of the plug-in. */
    private Thread start(String bot, Runnable work) {
        Thread thread = Thread.ofVirtual().name("plug-in-bot-" + bot).unstarted(work);
        thread.setContextClassLoader(offer.instance().getClass().getClassLoader());
        thread.start();
        return thread;
    }
}
