package dev.parley.channels.whatsapp;

import dev.parley.channels.contract.ChannelPlugin;
import dev.parley.channels.contract.InboundHttp;
import dev.parley.channels.testing.BotSettings;
import dev.parley.channels.testing.ChannelDouble;
import dev.parley.channels.testing.ChannelPluginContract;
import dev.parley.platform.testkit.whatsapp.FakeWhatsApp;
import dev.parley.platform.testkit.whatsapp.WhatsAppMessage;
import dev.parley.platform.testkit.whatsapp.WhatsAppPerson;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;

/** The contract of channels for WhatsApp. */
@Tag("B255")
class WhatsAppContractTest extends ChannelPluginContract {
    private static final String TOKEN = "EAAcontract-token_0123456789";
    private static final String APP_SECRET = "0123456789abcdef0123456789abcdef";

    @Override
    protected ChannelPlugin plugin() {
        return new WhatsAppPlugin();
    }

    @Override
    protected ChannelDouble start() throws IOException {
        return new WhatsAppDouble();
    }

    private static final class WhatsAppDouble implements ChannelDouble {
        private final FakeWhatsApp whatsapp = new FakeWhatsApp(TOKEN, APP_SECRET);
        private InboundHttp.@Nullable Receiver receiver;
        private int people;

        WhatsAppDouble() throws IOException {}

        @Override
        public BotSettings settings() {
            return new BotSettings(
                    "wa",
                    whatsapp.api(),
                    TOKEN,
                    Map.of(WhatsAppPlugin.APP_SECRET, APP_SECRET, WhatsAppPlugin.VERIFY_TOKEN, "verify-0123456789"),
                    Map.of(WhatsAppPlugin.PHONE_NUMBER_ID, FakeWhatsApp.NUMBER_ID));
        }

        @Override
        public void postsTo(InboundHttp.Receiver handler) {
            receiver = handler;
        }

        @Override
        public Person person() {
            return new Customer(this, whatsapp.person("Customer " + ++people));
        }

        @Override
        public boolean failsNext(Fault fault) {
            switch (fault) {
                case Fault.TooFast(var pause) ->
                    whatsapp.failNext(1, 429, 130429, "slow down", Long.toString(pause.toSeconds()));
                case Fault.Away _ -> whatsapp.failNext(1, 502, 0, "Bad Gateway", null);
                case Fault.LostAnswer _ -> whatsapp.cutAfter();
                case Fault.Refused(String error) -> whatsapp.failNext(1, 400, 100, error, null);
                case Fault.Revoked(String error) -> whatsapp.failNext(1, 401, 190, error, null);
            }
            return true;
        }

        @Override
        public List<String> violations() {
            return whatsapp.violations();
        }

        @Override
        public void close() {
            whatsapp.close();
        }

        private boolean brings(WhatsAppPerson.Sent sent) {
            String body = sent.notification().toString();
            var request = new InboundHttp.Request(
                    Map.of("x-hub-signature-256", FakeWhatsApp.signature(APP_SECRET, body)),
                    body.getBytes(StandardCharsets.UTF_8),
                    "203.0.113.1");
            try {
                return Objects.requireNonNull(receiver).receive(request).equals(new InboundHttp.Answer.Body(200));
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    private record Customer(WhatsAppDouble other, WhatsAppPerson person) implements ChannelDouble.Person {
        @Override
        public ChannelDouble.Sent writes(String text) {
            return sent(person.says(text));
        }

        @Override
        public Optional<ChannelDouble.Sent> sends(String text, String name, String mimeType, byte[] bytes) {
            return Optional.of(sent(person.sendsFile(text, name, mimeType, bytes)));
        }

        @Override
        public Optional<ChannelDouble.Sent> presses(String label) {
            WhatsAppMessage message = person.answers().getLast();
            return message.content()
                    .at("/interactive/action/buttons")
                    .valueStream()
                    .map(button -> button.path("reply"))
                    .filter(button -> button.path("title").asText().equals(label))
                    .map(button ->
                            sent(person.presses(message, button.path("id").asText())))
                    .findFirst();
        }

        private ChannelDouble.Sent sent(WhatsAppPerson.Sent message) {
            return new ChannelDouble.Sent() {
                private boolean isAcknowledged = other.brings(message);

                @Override
                public void again() {
                    isAcknowledged = other.brings(message);
                }

                @Override
                public boolean isAcknowledged() {
                    return isAcknowledged;
                }
            };
        }

        @Override
        public List<String> reads() {
            return person.answers().stream().map(WhatsAppMessage::text).toList();
        }

        @Override
        public Optional<List<byte[]>> files() {
            return Optional.of(person.answers().stream()
                    .map(WhatsAppMessage::file)
                    .filter(Objects::nonNull)
                    .toList());
        }

        @Override
        public boolean blocks() {
            person.closes();
            return true;
        }
    }
}
