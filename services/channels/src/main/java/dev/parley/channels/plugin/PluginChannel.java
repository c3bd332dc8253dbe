package dev.parley.channels.plugin;

import dev.parley.channels.contract.Channel;
import dev.parley.channels.contract.ChannelPlugin;
import dev.parley.channels.contract.Connection;
import dev.parley.channels.contract.Intake;
import dev.parley.platform.config.BotConfig;
import dev.parley.platform.plugin.PluginFolder.Offer;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A channel that a plug-in brings. A bot that it cannot start is a bot with a problem; no other bot notices. */
record PluginChannel(String kind, Offer<ChannelPlugin> offer, PluginBots bots) implements Channel {
    private static final Logger LOG = LoggerFactory.getLogger(PluginChannel.class);
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    /** The jar or folder that it comes from. */
    String plugin() {
        return offer.plugin();
    }

    @Override
    public Connection connect(BotConfig bot, Intake intake) {
        var made = new CompletableFuture<Connection>();
        Thread thread = start(bot.name(), () -> {
            try {
                made.complete(Objects.requireNonNull(offer.instance().connect(bots.bot(bot, intake)), "no connection"));
            } catch (RuntimeException | LinkageError | StackOverflowError | AssertionError e) {
                made.completeExceptionally(e);
            }
        });
        try {
            return new PluginConnection(offer.plugin(), made.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS));
        } catch (ExecutionException e) {
            return broken(bot, "does not start: " + why(e), e);
        } catch (TimeoutException e) {
            sendAway(thread, made);
            return broken(bot, "did not start within " + PATIENCE.toSeconds() + " s", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            sendAway(thread, made);
            return broken(bot, "was not started", e);
        }
    }

    /** Nobody waits for the connection any more: if it comes after all, it is closed. */
    private static void sendAway(Thread starting, CompletableFuture<Connection> made) {
        starting.interrupt();
        var _ = made.thenAccept(Connection::close);
    }

    /** Whoever wrote the plug-in says what is wrong; of a fault its kind says more. */
    private static String why(ExecutionException e) {
        Throwable cause = e.getCause();
        return cause instanceof IllegalArgumentException ? String.valueOf(cause.getMessage()) : String.valueOf(cause);
    }

    private Connection broken(BotConfig bot, String what, Throwable why) {
        LOG.atError()
                .addKeyValue("bot", bot.name())
                .addKeyValue("plugin", offer.plugin())
                .setCause(why)
                .log("a bot of a plug-in does not work");
        return new BrokenConnection("the plug-in %s %s".formatted(offer.plugin(), what));
    }

    /** Threads of a plug-in find its classes, also those that libraries look for by name. */
    private Thread start(String bot, Runnable work) {
        Thread thread = Thread.ofVirtual().name("plug-in-bot-" + bot).unstarted(work);
        thread.setContextClassLoader(offer.instance().getClass().getClassLoader());
        thread.start();
        return thread;
    }
}
