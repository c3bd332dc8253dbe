package dev.parley.channels.teams;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.channels.contract.ChannelPlugin;
import dev.parley.channels.contract.InboundHttp;
import dev.parley.channels.testing.BotSettings;
import dev.parley.channels.testing.ChannelDouble;
import dev.parley.channels.testing.ChannelPluginContract;
import dev.parley.platform.testkit.teams.FakeTeams;
import dev.parley.platform.testkit.teams.TeamsChat;
import dev.parley.platform.testkit.teams.TeamsMessage;
import java.io.IOException;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;

/** The contract of channels for Microsoft Teams. */
@Tag("B255")
class TeamsContractTest extends ChannelPluginContract {
    private static final String SECRET = "contract-token_0123456789";

    @Override
    protected ChannelPlugin plugin() {
        return new TeamsPlugin();
    }

    @Override
    protected ChannelDouble start() throws IOException {
        return new TeamsDouble(new FakeTeams(SECRET));
    }

    private record TeamsDouble(FakeTeams teams) implements ChannelDouble {
        TeamsDouble {
            teams.isPatient();
        }

        @Override
        public BotSettings settings() {
            return new BotSettings(
                    "teams",
                    teams.api(),
                    SECRET,
                    Map.of(),
                    Map.of(TeamsPlugin.APP_ID, FakeTeams.APP, TeamsPlugin.TENANT, FakeTeams.TENANT));
        }

        @Override
        public void postsTo(InboundHttp.Receiver receiver) {
            teams.endpoint((token, body) -> {
                var request = new InboundHttp.Request(Map.of("authorization", "Bearer " + token), body, "127.0.0.1");
                return receiver.receive(request) instanceof InboundHttp.Answer.Body(int status, String json)
                        ? new FakeTeams.Answer(status, json)
                        : new FakeTeams.Answer(503, "");
            });
        }

        @Override
        public Person person() {
            return new Ann(teams.direct("Ann"));
        }

        @Override
        public boolean failsNext(Fault fault) {
            switch (fault) {
                case Fault.TooFast(var pause) ->
                    teams.failNext("POST", 1, 429, "TooManyRequests", "slow down", Long.toString(pause.toSeconds()));
                case Fault.Away _ -> teams.failNext("POST", 1, 502, "", "Bad Gateway", null);
                case Fault.LostAnswer _ -> teams.cutAfter("POST");
                case Fault.Refused(String error) -> teams.failNext("POST", 2, 400, "BadSyntax", error, null);
                case Fault.Revoked(String error) -> teams.failNext("POST", 2, 401, "Unauthorized", error, null);
            }
            return true;
        }

        @Override
        public List<String> violations() {
            return teams.violations();
        }

        @Override
        public void close() {
            teams.close();
        }
    }

    private static final class Ann implements ChannelDouble.Person {
        private final TeamsChat chat;
        /** The answer to the last press. */
        private JsonNode shown = MissingNode.getInstance();

        Ann(TeamsChat chat) {
            this.chat = chat;
        }

        @Override
        public ChannelDouble.Sent writes(String text) {
            return sent(chat.says(text));
        }

        @Override
        public Optional<ChannelDouble.Sent> sends(String text, String name, String mimeType, byte[] bytes) {
            return Optional.of(sent(chat.sendsFile(text, name, bytes)));
        }

        @Override
        public Optional<ChannelDouble.Sent> presses(String label) {
            TeamsMessage message = chat.answers().getLast();
            JsonNode button = message.buttons().stream()
                    .filter(shown -> shown.path("title").asText().equals(label))
                    .findFirst()
                    .orElseThrow();
            TeamsChat.Sent press = chat.presses(message, button);
            shown = json(press.answer()).path("value");
            return Optional.of(sent(press));
        }

        private static JsonNode json(String text) {
            try {
                return new ObjectMapper().readTree(text);
            } catch (JsonProcessingException e) {
                throw new IllegalStateException(e);
            }
        }

        /** The inputs come back beside the data of the action. */
        @Override
        public Optional<ChannelDouble.Sent> fills(Map<String, List<String>> values) {
            ObjectNode sent = chat.press(chat.answers().getLast(), "");
            ObjectNode data = shown.at("/actions/0/data").deepCopy();
            for (JsonNode input : shown.path("body")) {
                String id = input.path("id").asText();
                List<String> given = values.get(id.substring(id.indexOf(':') + 1));
                if (given != null) {
                    data.put(id, String.join(",", given));
                }
            }
            ((ObjectNode) sent.at("/value/action")).set("data", data);
            return Optional.of(sent(chat.sends(sent)));
        }

        private ChannelDouble.Sent sent(TeamsChat.Sent first) {
            return new ChannelDouble.Sent() {
                private TeamsChat.Sent last = first;

                @Override
                public void again() {
                    last = chat.again(last);
                }

                @Override
                public boolean isAcknowledged() {
                    return last.status() == 200;
                }
            };
        }

        @Override
        public List<String> reads() {
            return chat.answers().stream().map(TeamsMessage::text).toList();
        }

        @Override
        public Optional<List<byte[]>> files() {
            return Optional.of(chat.answers().stream()
                    .map(message -> message.activity()
                            .at("/attachments/0/contentUrl")
                            .asText()
                            .replaceFirst("^data:image/png;base64,", ""))
                    .filter(url -> !url.isEmpty())
                    .map(Base64.getDecoder()::decode)
                    .toList());
        }

        @Override
        public boolean blocks() {
            chat.closes();
            return true;
        }
    }
}
