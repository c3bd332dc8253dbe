package dev.parley.tools.plugin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.platform.plugin.PluginFolder;
import dev.parley.platform.power.Power;
import dev.parley.platform.power.Power.Kind;
import dev.parley.platform.testkit.PluginJar;
import dev.parley.tools.Tool;
import dev.parley.tools.ToolOutput;
import dev.parley.tools.ToolOutput.Failed;
import dev.parley.tools.ToolOutput.Text;
import dev.parley.tools.builtin.EchoTool;
import dev.parley.tools.kind.Calls;
import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tools from plug-in jars; a broken jar does not affect others. */
class PluginsTest {
    private static final String TOOL = """
            package demo;
            public class %1$s implements dev.parley.tools.Tool {
                public dev.parley.domain.definition.ToolSpec spec() {
                    return new dev.parley.domain.definition.ToolSpec("%2$s", "Does it", "{\\"type\\":\\"object\\"}",
                        dev.parley.domain.definition.ToolEffect.IDEMPOTENT, java.time.Duration.ofSeconds(5));
                }
                public dev.parley.tools.ToolOutput run(
                        dev.parley.tools.ToolCallContext call, com.fasterxml.jackson.databind.JsonNode arguments) {
                    return dev.parley.tools.ToolOutput.of(%3$s);
                }
            }
            """;
    private static final String LIBRARY =
            "package library; public class Version { public static String text() { return \"%s\"; } }";

    @TempDir
    Path work;

    private Path folder;

    @BeforeEach
    void makeFolder() throws IOException {
        folder = Files.createDirectory(work.resolve("plugins"));
    }

    private static String tool(String type, String name, String result) {
        return TOOL.formatted(type, name, result);
    }

    private static void jar(Path jar, Map<String, String> sources, String... offered) throws IOException {
        PluginJar.make(jar, sources, Tool.class, offered);
    }

    private static List<String> names(Plugins plugins) {
        return plugins.toolsBeside(List.of(new EchoTool())).stream()
                .map(tool -> tool.spec().name())
                .toList();
    }

    private static ToolOutput run(Plugins plugins, String type) throws Exception {
        return new JavaKind(plugins, Calls.granting(Power.of(Kind.PLUGIN_TOOLS)))
                .runner(Calls.json("class", type), Calls.PROJECT)
                .run(Calls.call(), Calls.json("{}"));
    }

    @Test
    @Tag("A17")
    void loadsToolsFromAJar() throws Exception {
        jar(
                folder.resolve("demo.jar"),
                Map.of("demo.One", tool("One", "one", "\"1\""), "demo.Two", tool("Two", "two", "\"2\"")),
                "demo.One",
                "demo.Two");

        try (Plugins plugins = Plugins.load(folder)) {
            assertEquals(List.of("one", "two"), names(plugins));
            assertEquals(new Text("2"), run(plugins, "demo.Two"));
        }
    }

    @Test
    @Tag("A17")
    void missingClassesMakeOnlyTheirToolsUnavailable() throws Exception {
        // Given
        Files.writeString(folder.resolve("a-broken.jar"), "no jar");
        jar(folder.resolve("b.jar"), Map.of("demo.Bad", "package demo; public class Bad {}"), "demo.Gone", "demo.Bad");
        jar(
                folder.resolve("c.jar"),
                Map.of(
                        "demo.Throws",
                        tool("Throws", "throws", "\"\"")
                                .replaceFirst("\\{", "{ public Throws() { throw new Error(\"no\"); }"),
                        "demo.Good",
                        tool("Good", "good", "\"good\"")),
                "demo.Gone",
                "demo.Throws",
                "demo.Good");

        // Then
        try (Plugins plugins = Plugins.load(folder)) {
            assertEquals(List.of("good"), names(plugins));
            assertEquals(new Failed("no plug-in here has the tool demo.Gone"), run(plugins, "demo.Gone"));
            assertEquals(
                    new Failed("no plug-in here has the tool java.lang.Runtime"), run(plugins, "java.lang.Runtime"));
        }
        try (Plugins none = Plugins.load(folder.resolve("nowhere"))) {
            assertEquals(List.of(), none.toolsBeside(List.of()));
        }
    }

    @Test
    void ignoresDuplicateAndReservedToolNames() throws Exception {
        jar(folder.resolve("a.jar"), Map.of("demo.A", tool("A", "same", "\"a\"")), "demo.A");
        jar(folder.resolve("b.jar"), Map.of("demo.B", tool("B", "same", "\"b\"")), "demo.B");
        jar(folder.resolve("c.jar"), Map.of("demo.C", tool("C", "echo", "\"c\"")), "demo.C");
        jar(folder.resolve("d.jar"), Map.of("demo.D", tool("D", "message", "\"d\"")), "demo.D");

        try (Plugins plugins = Plugins.load(folder)) {
            assertEquals(List.of("same"), names(plugins));
            assertEquals(new Text("a"), run(plugins, "demo.A"));
            assertInstanceOf(Failed.class, run(plugins, "demo.B"));
        }
    }

    @Test
    @Tag("A17")
    void pluginsUseTheirOwnLibraryVersions() throws Exception {
        // Given
        for (String version : List.of("1", "2")) {
            Path pluginFolder = Files.createDirectory(folder.resolve("plugin-" + version));
            String type = "V" + version;
            jar(
                    pluginFolder.resolve("tool.jar"),
                    Map.of(
                            "demo." + type,
                            tool(type, "v" + version, "library.Version.text()"),
                            "library.Version",
                            LIBRARY.formatted(version)),
                    "demo." + type);
        }

        // Then
        try (Plugins plugins = Plugins.load(folder)) {
            assertEquals(new Text("1"), run(plugins, "demo.V1"));
            assertEquals(new Text("2"), run(plugins, "demo.V2"));
        }
    }

    @Test
    void hidesInternalClassesFromPlugins() throws Exception {
        // Given
        String lookup =
                "seen(\"org.apache.kafka.clients.producer.KafkaProducer\") + seen(\"dev.parley.platform.config.secret.Secrets\") + seen(\"dev.parley.tools.rest.RestKind\") + seen(\"dev.parley.tools.Tool\")";
        String source =
                tool("Look", "look", lookup).replace("public class Look implements dev.parley.tools.Tool {", """
                public class Look implements dev.parley.tools.Tool {
                    private static String seen(String name) {
                        try { Class.forName(name); return "y"; } catch (ClassNotFoundException e) { return "n"; }
                    }
                """);
        jar(folder.resolve("look.jar"), Map.of("demo.Look", source), "demo.Look");

        // Then
        try (Plugins plugins = Plugins.load(folder)) {
            assertEquals(new Text("nnny"), run(plugins, "demo.Look"));
        }
    }

    @Test
    void missingLibraryClassFailsTheCall() throws Exception {
        // Given
        Path jar = folder.resolve("lacks.jar");
        jar(
                jar,
                Map.of(
                        "demo.Lacks",
                        tool("Lacks", "lacks", "library.Version.text()"),
                        "library.Version",
                        LIBRARY.formatted("x")),
                "demo.Lacks");
        try (var files = FileSystems.newFileSystem(jar)) {
            Files.delete(files.getPath("library/Version.class"));
        }

        // Then
        try (Plugins plugins = Plugins.load(folder)) {
            var thrown = assertThrows(IllegalStateException.class, () -> run(plugins, "demo.Lacks"));
            assertTrue(String.valueOf(thrown.getMessage()).contains("library/Version"));
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @Tag("A17")
    void toolOfAnOlderApiIsUnavailableAndTheReasonIsTold(boolean bringsJackson3) throws Exception {
        // Given the API of version 0.1, whose arguments were a tree of Jackson 3
        Path jar = folder.resolve("old.jar");
        String node = "tools.jackson.databind.JsonNode";
        jar(
                jar,
                Map.of(
                        "demo.Old",
                        tool("Old", "old", "\"\"").replace(JsonNode.class.getName(), node),
                        "dev.parley.tools.Tool",
                        "package dev.parley.tools; public interface Tool { dev.parley.domain.definition.ToolSpec spec();"
                                + " ToolOutput run(ToolCallContext call, " + node + " arguments); }",
                        node,
                        "package tools.jackson.databind; public class JsonNode {}"),
                "demo.Old");
        try (var files = FileSystems.newFileSystem(jar)) {
            Files.delete(files.getPath("dev/parley/tools/Tool.class"));
            if (!bringsJackson3) {
                Files.delete(files.getPath("tools/jackson/databind/JsonNode.class"));
            }
        }
        jar(folder.resolve("good.jar"), Map.of("demo.Good", tool("Good", "good", "\"\"")), "demo.Good");

        // Then
        try (Plugins plugins = Plugins.load(folder);
                var loaded = PluginFolder.load(folder, Tool.class)) {
            assertEquals(List.of("good"), names(plugins));
            Tool old = loaded.offers().getLast().instance();
            assertEquals("demo.Old", old.getClass().getName());
            String refusal = assertThrows(IllegalArgumentException.class, () -> Plugins.requireCurrentApi(old))
                    .getMessage();
            assertTrue(
                    String.valueOf(refusal).contains("arguments of a tool are a " + JsonNode.class.getName()), refusal);
        }
    }

    @Test
    void classWithAMissingSuperclassIsUnavailable() throws Exception {
        // Given
        Path jar = folder.resolve("lacks.jar");
        String child =
                tool("Child", "child", "\"\"").replace("public class Child", "public class Child extends Parent");
        jar(
                jar,
                Map.of(
                        "demo.Child",
                        child,
                        "demo.Parent",
                        "package demo; public class Parent {}",
                        "demo.Good",
                        tool("Good", "good", "\"\"")),
                "demo.Child",
                "demo.Good");
        try (var files = FileSystems.newFileSystem(jar)) {
            Files.delete(files.getPath("demo/Parent.class"));
        }

        // Then
        try (Plugins plugins = Plugins.load(folder)) {
            assertEquals(List.of("good"), names(plugins));
        }
    }

    @Test
    void rejectsAnInvalidDefinition() {
        try (Plugins plugins = Plugins.load(null)) {
            var kind = new JavaKind(plugins, Calls.granting(Power.of(Kind.PLUGIN_TOOLS)));
            assertThrows(IllegalArgumentException.class, () -> kind.runner(Calls.json("{}"), Calls.PROJECT));
            assertThrows(
                    IllegalArgumentException.class, () -> kind.runner(Calls.json("class", "rm -rf"), Calls.PROJECT));
        }
    }
}
