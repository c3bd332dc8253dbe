package dev.parley.channels.plugin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.channels.contract.ChannelBot;
import dev.parley.channels.contract.ChannelPlugin;
import dev.parley.channels.contract.Connection;
import dev.parley.channels.contract.ConversationAddress;
import dev.parley.channels.contract.Delivery;
import dev.parley.channels.contract.InboundHttp;
import dev.parley.channels.contract.Piece;
import dev.parley.channels.contract.SendFailure;
import dev.parley.platform.config.bot.BotConfig;
import dev.parley.platform.plugin.PluginFolder;
import dev.parley.platform.testkit.PluginJar;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Channels from plug-in jars; a broken jar does not affect others. */
class ChannelKindsTest {
    private static final ConversationAddress AT = new ConversationAddress("desk", "c", null);
    private static final String CHANNEL = """
            package demo;
            import dev.parley.channels.contract.*;
            import java.time.Duration;
            import java.util.List;
            public class %1$s implements ChannelPlugin {
                public String kind() { return "%2$s"; }
                public Connection connect(ChannelBot bot) {
                    %3$s
                    return new Connection() {
                        public List<Piece> pieces(String text) { return List.of(Piece.Words.plain(text)); }
                        public String send(ConversationAddress to, Piece piece, Delivery delivery) throws SendFailure {
                            %4$s
                            return bot.settings().getOrDefault("says", "sent");
                        }
                        public Limits limits(ConversationAddress at) {
                            return new Limits(1, 1, 1, Duration.ofSeconds(1), Duration.ofSeconds(1));
                        }
                        public void close() {}
                    };
                }
            }
            """;

    /** A channel of the class path. */
    private record Own(String kind) implements ChannelPlugin {
        @Override
        public Connection connect(ChannelBot bot) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Optional<InboundHttp> inbound() {
            return Optional.of(new InboundHttp() {
                @Override
                public String path() {
                    return "updates";
                }

                @Override
                public int largestBody() {
                    return 1;
                }

                @Override
                public Receiver receiver(ChannelBot bot) {
                    throw new UnsupportedOperationException();
                }

                @Override
                public Answer unknown() {
                    throw new UnsupportedOperationException();
                }
            });
        }
    }

    @TempDir
    Path work;

    private Path folder;
    private PluginFixture parley;

    @BeforeEach
    void makeFolder() throws IOException {
        folder = Files.createDirectory(work.resolve("plugins"));
        parley = new PluginFixture(work.resolve("blobs"));
    }

    private void jar(String file, String type, String kind, String connects, String sends) throws IOException {
        PluginJar.make(
                folder.resolve(file),
                Map.of("demo." + type, CHANNEL.formatted(type, kind, connects, sends)),
                ChannelPlugin.class,
                "demo." + type);
    }

    private ChannelKinds kinds() {
        return kinds(List.of(new Own("telegram")));
    }

    private ChannelKinds kinds(List<ChannelPlugin> own) {
        return new ChannelKinds(
                own, PluginFolder.load(folder, ChannelPlugin.class), parley.bots, Set.of("console", "v1"));
    }

    private Connection connect(ChannelKinds kinds, String kind) {
        BotConfig bot = PluginFixture.bot(kind, Map.of("says", "hello"));
        return kinds.of(bot).orElseThrow().connect(bot, parley);
    }

    private static Delivery delivery() {
        return new Delivery("d-0", UUID.randomUUID(), null);
    }

    @Test
    @Tag("A26")
    void loadsAChannelFromAJar() throws Exception {
        jar("demo.jar", "Demo", "demo", "", "");

        try (ChannelKinds kinds = kinds();
                Connection connection = connect(kinds, "demo")) {
            assertEquals("hello", connection.send(AT, Piece.Words.plain("x"), delivery()));
            assertTrue(connection.problem().isEmpty());
        }
    }

    @Test
    @Tag("A26")
    void unknownKindListsAvailableKindsAndBrokenJars() throws Exception {
        // Given
        Files.writeString(folder.resolve("a-broken.jar"), "no jar");
        PluginJar.make(folder.resolve("b-lacks.jar"), Map.of(), ChannelPlugin.class, "demo.Gone");
        jar("c.jar", "Demo", "demo", "", "");
        jar("d.jar", "Again", "demo", "", "");
        jar("e.jar", "Own", "telegram", "", "");
        jar("f.jar", "Odd", "No Kind", "", "");

        // Then
        try (ChannelKinds kinds = kinds();
                Connection connection = connect(kinds, "slak")) {
            String problem = connection.problem().orElseThrow();
            assertEquals(
                    "no plug-in provides the kind 'slak'; available kinds: demo, telegram; broken: a-broken.jar, b-lacks.jar",
                    problem);
            var failure =
                    assertThrows(SendFailure.class, () -> connection.send(AT, Piece.Words.plain("x"), delivery()));
            assertEquals(SendFailure.Kind.REVOKED, failure.kind());
            assertEquals("hello", connect(kinds, "demo").send(AT, Piece.Words.plain("x"), delivery()));
            assertTrue(connect(kinds, "telegram").problem().isPresent(), "a bot of a plug-in is none of Parley's own");
        }
    }

    @Test
    @Tag("A26")
    void reportsAProblemOfABotThatDoesNotStart() throws Exception {
        // Given
        jar("wrong.jar", "Wrong", "wrong", "if (true) throw new IllegalArgumentException(\"no 'path'\");", "");
        jar("lacks.jar", "Lacks", "lacks", "if (true) throw new NoClassDefFoundError(\"library/Gone\");", "");
        jar("none.jar", "None", "none", "if (true) return null;", "");

        // Then
        try (ChannelKinds kinds = kinds()) {
            assertEquals(
                    "the plug-in wrong.jar does not start: no 'path'",
                    connect(kinds, "wrong").problem().orElseThrow());
            assertTrue(connect(kinds, "lacks").problem().orElseThrow().contains("library/Gone"));
            assertTrue(connect(kinds, "none").problem().isPresent());
        }
    }

    @Test
    void missingClassDuringSendFailsOnlyThatReply() throws Exception {
        jar("lacks.jar", "Lacks", "lacks", "", "if (true) throw new NoClassDefFoundError(\"library/Gone\");");

        try (ChannelKinds kinds = kinds();
                Connection connection = connect(kinds, "lacks")) {
            assertThrows(IllegalStateException.class, () -> connection.send(AT, Piece.Words.plain("x"), delivery()));
            assertFalse(connection.streamsTo(AT));
            connection.working(AT);
        }
    }

    @Test
    void replacesAnInvalidReferenceByTheDeliveryId() throws Exception {
        jar("odd.jar", "Odd", "odd", "", "if (true) return \"a\\nb\";");

        try (ChannelKinds kinds = kinds();
                Connection connection = connect(kinds, "odd")) {
            assertEquals("d-0", connection.send(AT, Piece.Words.plain("x"), delivery()));
        }
    }

    @Test
    @Tag("B172")
    void aPathBelongsToOneChannelAndIsNotOneOfParley() throws Exception {
        // Given
        String posts = """
                throw new IllegalStateException();
                    }
                    public java.util.Optional<InboundHttp> inbound() {
                        return java.util.Optional.of(new InboundHttp() {
                            public String path() { return "%s"; }
                            public int largestBody() { return 100; }
                            public Answer unknown() { return new Answer.Body(401); }
                            public Receiver receiver(ChannelBot bot) { return request -> unknown(); }
                        });
                    }
                    private Connection none(ChannelBot bot) {
                """;
        jar("a.jar", "First", "first", posts.formatted("events"), "");
        jar("b.jar", "Second", "second", posts.formatted("events"), "");
        jar("c.jar", "Third", "third", posts.formatted("v1/events"), "");
        jar("d.jar", "Fourth", "fourth", posts.formatted("updates"), "");
        jar("e.jar", "Fifth", "fifth", posts.formatted("Events"), "");
        jar("f.jar", "Sixth", "sixth", "", "");

        // Then
        try (ChannelKinds kinds = kinds()) {
            assertEquals(
                    List.of("telegram", "first"),
                    kinds.reachable().map(ChannelKinds.Reachable::kind).toList());
            assertEquals(
                    "the channel 'second' of b.jar is not available: its path /events is that of the channel 'first'",
                    problem(kinds, "second"));
            assertEquals(
                    "the channel 'third' of c.jar is not available: its path /v1/events begins as routes of Parley do",
                    problem(kinds, "third"));
            assertEquals(
                    "the channel 'fourth' of d.jar is not available: its path /updates is that of the channel 'telegram'",
                    problem(kinds, "fourth"));
            assertEquals(
                    "the channel 'fifth' of e.jar is not available: its path 'Events' is not a valid one",
                    problem(kinds, "fifth"));
            assertTrue(connect(kinds, "sixth").problem().isEmpty());
        }
    }

    private String problem(ChannelKinds kinds, String kind) {
        return connect(kinds, kind).problem().orElseThrow();
    }

    @Test
    @Tag("B172")
    void channelsOfTheClassPathWithOnePathKeepTheProcessFromStarting() {
        List<ChannelPlugin> two = List.of(new Own("telegram"), new Own("signal"));

        var e = assertThrows(IllegalStateException.class, () -> kinds(two));

        assertEquals(
                "the channel 'signal' is not available: its path /updates is that of the channel 'telegram'",
                e.getMessage());
    }

    @Test
    void hidesInternalClassesFromPlugins() throws Exception {
        // Given
        String expression =
                "seen(\"dev.parley.channels.contract.DurableCommands\") + seen(\"dev.parley.platform.config.secret.Secrets\")"
                        + " + seen(\"io.micronaut.context.BeanContext\") + seen(\"dev.parley.channels.contract.ChannelPlugin\")";
        PluginJar.make(
                folder.resolve("look.jar"),
                Map.of(
                        "demo.Look",
                        CHANNEL.formatted("Look", "look", "", "if (true) return " + expression + ";")
                                .replaceFirst("\\{", """
                                {
                                    private static String seen(String name) {
                                        try { Class.forName(name); return "y"; } catch (ClassNotFoundException e) { return "n"; }
                                    }
                                """)),
                ChannelPlugin.class,
                "demo.Look");

        // Then
        try (ChannelKinds kinds = kinds();
                Connection connection = connect(kinds, "look")) {
            assertEquals("nnny", connection.send(AT, Piece.Words.plain("x"), delivery()));
        }
    }
}
