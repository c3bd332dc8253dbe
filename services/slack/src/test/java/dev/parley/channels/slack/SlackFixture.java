package dev.parley.channels.slack;

import dev.parley.channels.chat.BotChats;
import dev.parley.channels.chat.BotChats.Received;
import dev.parley.channels.chat.Buttons;
import dev.parley.channels.contract.ChannelBot;
import dev.parley.channels.contract.Connection;
import dev.parley.channels.contract.Taken;
import dev.parley.platform.testkit.slack.FakeSlack;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;

/** A bot on a fake Slack, without the rest of Parley and with a clock of its own. */
final class SlackFixture implements AutoCloseable {
    static final Duration SOON = Duration.ofSeconds(60);
    private static final String TOKEN = "xoxb-1-2-bot-token_0123456789";

    private final AtomicLong clock = new AtomicLong();
    private final FakeSlack slack;
    private final List<String> handled = new CopyOnWriteArrayList<>();
    private Connection connection;

    SlackFixture() throws IOException {
        slack = new FakeSlack(TOKEN, "xapp-1-bot-token_0123456789");
        connection = connect();
    }

    private Connection connect() {
        return new SlackPlugin(clock::get).connect(stub(ChannelBot.class));
    }

    FakeSlack slack() {
        return slack;
    }

    Connection bot() {
        return connection;
    }

    /** Another process takes the bot over. */
    Connection reconnect() {
        connection.close();
        connection = connect();
        return connection;
    }

    /** What handles the bot's events. */
    SlackEventHandler handler() {
        var api = new SlackApi(slack.api(), () -> TOKEN);
        return new SlackEventHandler(stub(ChannelBot.class), api, new SlackPeople(api, new SlackPeople.Cache()));
    }

    /** The references of the events that the bot has told of. */
    List<String> handled() {
        return List.copyOf(handled);
    }

    void pass(Duration time) {
        clock.addAndGet(time.toNanos());
    }

    private <T> T stub(Class<T> type) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (_, method, arguments) -> switch (method.getName()) {
                    case "name" -> "slack";
                    case "api" -> slack.api();
                    case "token" -> TOKEN;
                    case "streams" -> true;
                    case "settings" -> Map.of();
                    case "problem", "reference" -> Optional.empty();
                    case "chats" -> stub(BotChats.class);
                    case "buttons" -> new Buttons("slack", () -> TOKEN);
                    case "handle" -> {
                        ((List<?>) arguments[0]).forEach(received -> handled.add(((Received) received).reference()));
                        yield new Taken.Safe();
                    }
                    default -> throw new UnsupportedOperationException(method.getName());
                }));
    }

    @Override
    public void close() {
        connection.close();
        slack.close();
    }
}
