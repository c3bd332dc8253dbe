package dev.parley.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.platform.config.ProcessRole;
import dev.parley.platform.kafka.Topic;
import dev.parley.platform.kafka.Topics;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** {@code docs/kafka-acls.md} has every topic, and every role whose service names it. */
@Tag("B68")
class KafkaAclsTest {
    private static final Path ROOT = Path.of("../..");
    private static final Pattern ROW =
            Pattern.compile("(?m)^\\| `([a-z-]+)` \\| (yes|no) \\| ([a-z, ]+) \\| ([a-z, ]+) \\|$");
    private static final List<String> MODULES = List.of(
            "agents",
            "bots",
            "channels",
            "control",
            "edge",
            "hooks",
            "memory",
            "protocols",
            "sessions",
            "tools",
            "workflows");
    private static final Set<String> CHANNELS = Set.of("channels");
    private static final Map<String, Set<String>> ROLES_OF_MODULES = Map.of(
            "agents",
            Set.of("agents", "models"),
            "bots",
            CHANNELS,
            "edge",
            CHANNELS,
            "hooks",
            CHANNELS,
            "protocols",
            CHANNELS);

    private record Row(boolean signed, Set<String> readers, Set<String> writers) {
        boolean names(Set<String> roles) {
            return Stream.concat(readers.stream(), writers.stream())
                    .anyMatch(role -> role.equals("all") || roles.contains(role));
        }
    }

    private final Map<String, Row> rows = new LinkedHashMap<>();

    KafkaAclsTest() throws IOException {
        ROW.matcher(Files.readString(ROOT.resolve("docs/kafka-acls.md")))
                .results()
                .forEach(row -> rows.put(
                        row.group(1), new Row(row.group(2).equals("yes"), names(row.group(3)), names(row.group(4)))));
    }

    private static Set<String> names(String text) {
        return new TreeSet<>(List.of(text.split(", ")));
    }

    @Test
    void listsEveryTopicAndWhetherItIsSigned() {
        assertEquals(
                Topics.all().stream().collect(Collectors.toMap(Topic::name, topic -> Topics.isSigned(topic.name()))),
                rows.entrySet().stream()
                        .collect(Collectors.toMap(
                                Map.Entry::getKey, row -> row.getValue().signed())));
    }

    @Test
    void namesRoles() {
        Set<String> roles =
                Arrays.stream(ProcessRole.values()).map(ProcessRole::code).collect(Collectors.toSet());
        rows.forEach((topic, row) -> Stream.concat(row.readers().stream(), row.writers().stream())
                .filter(role -> !role.equals("all"))
                .forEach(role -> assertTrue(roles.contains(role), topic + ": " + role)));
    }

    @Test
    void namesEveryServiceThatUsesATopic() throws IOException {
        for (String module : MODULES) {
            String sources = sources(module);
            for (Topic<?> topic : Topics.all()) {
                String constant = topic.name().toUpperCase(Locale.ROOT).replace('-', '_');
                if (Pattern.compile("\\b" + constant + "\\b").matcher(sources).find() && !isOnlyShown(module, topic)) {
                    assertTrue(
                            rows.get(topic.name()).names(ROLES_OF_MODULES.getOrDefault(module, Set.of(module))),
                            module + " uses " + topic + ", and docs/kafka-acls.md does not say so");
                }
            }
        }
    }

    /** The control service shows topics to operators, and names some that it treats specially. */
    private static boolean isOnlyShown(String module, Topic<?> topic) {
        return module.equals("control")
                && Set.<Topic<?>>of(Topics.OUTCOMES, Topics.TURN_DELTAS).contains(topic);
    }

    private static String sources(String module) throws IOException {
        try (Stream<Path> files = Files.walk(ROOT.resolve("services/" + module + "/src/main/java"))) {
            var text = new StringBuilder();
            for (Path file :
                    files.filter(path -> path.toString().endsWith(".java")).toList()) {
                text.append(Files.readString(file));
            }
            return text.toString();
        }
    }
}
