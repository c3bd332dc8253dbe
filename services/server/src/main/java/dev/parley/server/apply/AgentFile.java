package dev.parley.server.apply;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A file that defines an agent.
 *
 * @param lines of it, to say where something stands
 * @param body as the API takes it, with the agent's name
 */
record AgentFile(Path path, List<String> lines, ObjectNode body) {
    private static final int MOST_FILES = 500;
    private static final int MOST_BYTES = 1 << 20;
    private static final Pattern KEY = Pattern.compile("[\\s{,-]*\"?(\\w+)\"?\\s*:.*");

    private static final ObjectMapper YAML = new ObjectMapper(new YAMLFactory())
            .enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

    String name() {
        return body.path("name").asText();
    }

    /** The agents of a folder, by name. @throws ApplyException naming file and line of what cannot be read */
    static Map<String, AgentFile> in(Path folder) {
        var files = new TreeMap<String, AgentFile>();
        for (Path path : yaml(folder.resolve("agents"))) {
            AgentFile file = read(path);
            AgentFile other = files.put(file.name(), file);
            if (other != null) {
                throw new ApplyException("%s: there is an agent '%s' in %s already"
                        .formatted(file.at("name"), file.name(), other.path()));
            }
        }
        return files;
    }

    private static List<Path> yaml(Path agents) {
        if (!Files.isDirectory(agents)) {
            throw new ApplyException("There is no folder " + agents + ".");
        }
        try (Stream<Path> all = Files.list(agents)) {
            List<Path> found = all.filter(path -> path.toString().matches(".+\\.ya?ml"))
                    .sorted()
                    .limit(MOST_FILES + 1L)
                    .toList();
            if (found.size() > MOST_FILES) {
                throw new ApplyException(agents + " has more than " + MOST_FILES + " files.");
            }
            return found;
        } catch (IOException e) {
            throw new ApplyException(agents + " cannot be read: " + e.getMessage());
        }
    }

    private static AgentFile read(Path path) {
        List<String> lines = new ArrayList<>();
        try {
            if (Files.size(path) > MOST_BYTES) {
                throw new ApplyException(path + ": has more than a MiB");
            }
            lines = Files.readAllLines(path);
            JsonNode json = YAML.readTree(String.join("\n", lines));
            if (!(json instanceof ObjectNode body)) {
                throw new ApplyException(path + ":1: an agent is fields such as model and prompt");
            }
            if (!body.has("name")) {
                body.put("name", path.getFileName().toString().replaceFirst("\\.ya?ml$", ""));
            }
            return new AgentFile(path, lines, body);
        } catch (JsonProcessingException e) {
            int line = e.getLocation() == null ? 1 : e.getLocation().getLineNr();
            throw new ApplyException("%s:%d: %s".formatted(path, Math.min(line, Math.max(1, lines.size())), first(e)));
        } catch (IOException e) {
            throw new ApplyException(path + ": cannot be read: " + e.getMessage());
        }
    }

    private static String first(JsonProcessingException e) {
        return String.valueOf(e.getOriginalMessage())
                .lines()
                .map(String::strip)
                .filter(line -> !line.isEmpty())
                .findFirst()
                .orElse("no YAML");
    }

    /** The file, with the first line on which a field stands that a text names in quotes. */
    String at(String text) {
        return path
                + IntStream.range(0, lines.size())
                        .filter(i -> isNamed(key(lines.get(i)), text))
                        .mapToObj(i -> ":" + (i + 1))
                        .findFirst()
                        .orElse("");
    }

    private static @Nullable String key(String line) {
        var key = KEY.matcher(line);
        return key.matches() ? key.group(1) : null;
    }

    private static boolean isNamed(@Nullable String key, String text) {
        return key != null
                && (text.equals(key)
                        || Pattern.compile("['\"\\[.]" + key + "['\"\\]]")
                                .matcher(text)
                                .find());
    }
}
