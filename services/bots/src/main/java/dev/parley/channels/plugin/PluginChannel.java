package dev.parley.channels.plugin;

import dev.parley.channels.contract.ChannelPlugin;
import dev.parley.channels.contract.Connection;
import dev.parley.channels.contract.InboundHttp;
import dev.parley.channels.contract.Intake;
import dev.parley.platform.config.bot.BotConfig;
import dev.parley.platform.plugin.PluginFolder.Offer;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A kind of channel, of Parley's class path or of a plug-in. A bot that it fails to start within 10 s is reported as
 * broken; other bots are unaffected.
 *
 * @param inbound how the other side reaches it over HTTP; null where it fetches what it receives
 */
public record PluginChannel(
        String kind,
        Offer<ChannelPlugin> offer,
        PluginBots bots,
        @Nullable InboundHttp inbound) {
    private static final Logger LOG = LoggerFactory.getLogger(PluginChannel.class);
    private static final Duration START_TIMEOUT = Duration.ofSeconds(10);

    /** The jar or folder of the plug-in. */
    String plugin() {
        return offer.plugin();
    }

    /** The private chat of a bot with a user; empty where the channel has none, or its id is unknown. */
    public Optional<String> privateChat(String user) {
        try {
            return offer.instance().privateChat(user);
        } catch (RuntimeException | LinkageError | StackOverflowError | AssertionError e) {
            LOG.atWarn().addKeyValue("plugin", offer.plugin()).setCause(e).log("plug-in fault");
            return Optional.empty();
        }
    }

    /** Whether its private chats show forms. */
    public boolean showsForms() {
        try {
            return offer.instance().showsForms();
        } catch (RuntimeException | LinkageError | StackOverflowError | AssertionError e) {
            LOG.atWarn().addKeyValue("plugin", offer.plugin()).setCause(e).log("plug-in fault");
            return false;
        }
    }

    /**
     * Starts a bot, which from now on receives messages and sends replies. The caller is its only owner among all
     * instances until it closes the connection.
     */
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
