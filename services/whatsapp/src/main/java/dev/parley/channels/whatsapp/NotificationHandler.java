package dev.parley.channels.whatsapp;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.channels.chat.BotChats;
import dev.parley.channels.chat.BotChats.Received;
import dev.parley.channels.chat.ChatSide;
import dev.parley.channels.chat.Event;
import dev.parley.channels.chat.Event.Attachment;
import dev.parley.channels.chat.Event.ButtonPress;
import dev.parley.channels.chat.NotThereException;
import dev.parley.channels.contract.ChannelBot;
import dev.parley.channels.contract.DeliveryReport;
import dev.parley.channels.contract.Taken;
import dev.parley.channels.whatsapp.Notification.Incoming;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Handles the webhooks of a bot, on whichever instance they arrive. */
final class NotificationHandler implements ChatSide {
    private static final Logger LOG = LoggerFactory.getLogger(NotificationHandler.class);
    /** Less than the 30 seconds of a request. */
    private static final long MAX_SECONDS = 25;

    private final ChannelBot bot;
    private final WhatsAppApi api;
    private final BotChats chats;
    private final CustomerWindow window;

    NotificationHandler(ChannelBot bot, WhatsAppApi api) {
        this.bot = bot;
        this.api = api;
        this.chats = bot.chats(this);
        this.window = new CustomerWindow(chats.seen());
    }

    /** Handles a webhook, which may be acknowledged unless the result is {@link Taken.NotSafe}. */
    Taken handle(JsonNode payload) throws InterruptedException {
        Notification notification =
                Notification.read(payload, WhatsAppPlugin.setting(bot, WhatsAppPlugin.PHONE_NUMBER_ID));
        for (DeliveryReport report : notification.reports()) {
            if (bot.report(report) instanceof Taken.NotSafe notSafe) {
                return notSafe;
            }
        }
        var byChat = new LinkedHashMap<String, List<Incoming>>();
        notification
                .messages()
                .forEach(message -> byChat.computeIfAbsent(message.chat(), _ -> new ArrayList<>())
                        .add(message));
        return byChat.size() < 2
                ? handle(byChat.values().stream().findFirst().orElse(List.of()))
                : handleAll(byChat.values().stream()
                        .<Callable<Taken>>map(messages -> () -> handle(messages))
                        .toList());
    }

    /** Handles chats in parallel: one that waits for a file does not hold the others. */
    private static Taken handleAll(List<Callable<Taken>> ofChats) throws InterruptedException {
        Taken result = new Taken.Safe();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (Future<Taken> chat : threads.invokeAll(ofChats, MAX_SECONDS, TimeUnit.SECONDS)) {
                Taken taken = chat.isCancelled() ? new Taken.NotSafe("the messages take too long") : chat.get();
                result = taken instanceof Taken.NotSafe ? taken : result;
            }
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        }
        return result;
    }

    private Taken handle(List<Incoming> messages) throws InterruptedException {
        var received = new ArrayList<Received>();
        for (Incoming message : messages) {
            Event event = chats.read(() -> message.event(bot.name()));
            received.add(new Received(event, reference(event, message), ""));
            Optional<String> problem = message.isOfPerson() ? remember(message) : Optional.empty();
            if (problem.isPresent()) {
                return new Taken.NotSafe(problem.get());
            }
        }
        return received.isEmpty() ? new Taken.Safe() : chats.handle(received);
    }

    /** Stores when a person wrote, before anything answers; returns the problem of a database that is away. */
    private Optional<String> remember(Incoming message) {
        try {
            long now = Instant.now().getEpochSecond();
            window.onMessage(message.chat(), Math.min(now, message.seconds()), message.id());
        } catch (IllegalStateException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        } catch (RuntimeException e) { // an id that no chat has: its event is refused, too
            LOG.atDebug().addKeyValue("bot", bot.name()).setCause(e).log("time of a message not stored");
        }
        return Optional.empty();
    }

    private static String reference(Event event, Incoming message) {
        return event instanceof ButtonPress ? Notification.reference("press:" + message.id()) : message.id();
    }

    @Override
    public byte[] bytes(Attachment file, int limit) throws NotThereException, InterruptedException {
        try {
            return api.download(file.fileId(), limit);
        } catch (WhatsAppApiException e) {
            throw new NotThereException(String.valueOf(e.getMessage()), e.isTransient(), e);
        }
    }

    /** A press cannot be acknowledged: what only this person has to know is a message in the private chat. */
    @Override
    public void acknowledge(ButtonPress press, String notice) throws InterruptedException {
        if (!notice.isEmpty()) {
            var _ = bot.answer(press.address(), Notification.reference("notice:" + press.query()), notice);
        }
    }
}
