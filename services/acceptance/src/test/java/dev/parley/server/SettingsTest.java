package dev.parley.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.platform.config.EnvironmentVariables;
import dev.parley.platform.config.ProcessRole;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.common.utils.AppInfoParser;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.Yaml;

/** Documented settings and those of the containers equal the settings that the code reads. */
class SettingsTest {
    private static final Path DOCUMENT = Path.of("../../docs/settings.md");
    private static final Path COMPOSE = Path.of("../../deploy/compose/compose.yaml");
    private static final Pattern VARIABLE = Pattern.compile("`(PARLEY_[A-Z_]+)`");
    private static final String ROLES = "--roles=";

    /** A row of the document's table starts with the names of its variables. */
    @Test
    void documentedVariablesEqualTheKnownOnes() throws IOException {
        Set<String> documented = Files.readAllLines(DOCUMENT).stream()
                .filter(line -> line.startsWith("| `"))
                .map(line -> line.split("\\|")[1])
                .flatMap(names -> VARIABLE.matcher(names).results())
                .map((MatchResult name) -> name.group(1))
                .collect(Collectors.toCollection(TreeSet::new));

        assertEquals(new TreeSet<>(EnvironmentVariables.knownNames()), documented);
    }

    @Test
    void containersGetKnownVariablesOnly() throws IOException {
        List<Map<String, Object>> ours = services().values().stream()
                .filter(service -> service.containsKey("build"))
                .toList();

        assertEquals(2, ours.size());
        for (Map<String, Object> service : ours) {
            Set<String> variables = environment(service);
            assertTrue(EnvironmentVariables.knownNames().containsAll(variables), variables.toString());
        }
    }

    @Test
    void theContainersHaveAllRolesOnce() throws IOException {
        List<ProcessRole> roles = services().values().stream()
                .flatMap(service -> Stream.ofNullable(service.get("command")))
                .flatMap(command -> ((List<?>) command).stream().map(Object::toString))
                .filter(argument -> argument.startsWith(ROLES))
                .flatMap(argument -> ProcessRole.parse(argument.substring(ROLES.length())).stream())
                .sorted()
                .toList();

        assertEquals(List.copyOf(EnumSet.allOf(ProcessRole.class)), roles);
    }

    @Test
    void composeUsesTheKafkaVersionOfTheBuild() throws IOException {
        assertEquals(
                "apache/kafka:" + AppInfoParser.getVersion(),
                Objects.requireNonNull(services().get("kafka")).get("image"));
    }

    @Test
    void theHelpNamesAllRoles() {
        String help = Parley.commandLine(Map.of(), Program.installed())
                .getUsageMessage()
                .replaceAll("\\s+", "");

        assertTrue(
                help.contains(Arrays.stream(ProcessRole.values())
                        .map(ProcessRole::code)
                        .collect(Collectors.joining(","))),
                help);
    }

    private static Map<String, Map<String, Object>> services() throws IOException {
        Map<String, Map<String, Map<String, Object>>> compose = new Yaml().load(Files.readString(COMPOSE));
        return Objects.requireNonNull(compose.get("services"));
    }

    private static Set<String> environment(Map<String, Object> service) {
        return ((Map<?, ?>) Objects.requireNonNull(service.get("environment")))
                .keySet().stream()
                        .map(Object::toString)
                        .filter(name -> name.startsWith("PARLEY_"))
                        .collect(Collectors.toSet());
    }
}
