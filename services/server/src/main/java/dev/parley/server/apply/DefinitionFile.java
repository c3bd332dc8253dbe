package dev.parley.server.apply;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.platform.json.JsonMappers;
import dev.parley.platform.outbound.TextDecoder;
import dev.parley.server.client.CommandException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A file with a definition.
 *
 * @param lines of the file, to locate errors
 * @param body as the API takes it, with its name
 */
record DefinitionFile(DefinitionKind kind, Path path, List<String> lines, ObjectNode body) {
    private static final String SKILL = "SKILL.md";
    private static final int MAX_FILES = 500;
    private static final int MAX_BYTES = 1 << 20;
    private static final Pattern KEY = Pattern.compile("[\\s{,-]*\"?(\\w+)\"?\\s*:.*");

    private static final ObjectMapper YAML = JsonMappers.yaml()
            .enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

    String name() {
        return body.path("name").asText();
    }

    String version() {
        return body.path("version").asText("1.0.0");
    }

    /** Kind and name for display. */
    String label() {
        return kind.label(name());
    }

    /**
     * The kinds that a folder has subfolders for.
     *
     * @throws CommandException when there are none
     */
    static Set<DefinitionKind> kinds(Path folder) {
        var kinds = EnumSet.noneOf(DefinitionKind.class);
        Stream.of(DefinitionKind.values())
                .filter(kind -> Files.isDirectory(folder.resolve(kind.folder())))
                .forEach(kinds::add);
        if (kinds.isEmpty()) {
            throw new CommandException(
                    "There is no folder agents, skills, tools, workflows or endpoints in " + folder + ".");
        }
        return kinds;
    }

    /**
     * The definitions of a kind in a folder, by label.
     *
     * @throws CommandException with file and line of an error
     */
    static Map<String, DefinitionFile> in(Path folder, DefinitionKind kind) {
        var files = new TreeMap<String, DefinitionFile>();
        for (Path path : paths(folder.resolve(kind.folder()), kind)) {
            DefinitionFile file = read(kind, path);
            DefinitionFile other = files.put(file.label(), file);
            if (other != null) {
                throw new CommandException("%s: there is %s '%s' in %s already"
                        .formatted(file.at("name"), kind.withArticle(), file.name(), other.path()));
            }
        }
        return files;
    }

    /** A skill is a folder with a file {@value #SKILL}, every other definition a file in YAML. */
    private static List<Path> paths(Path folder, DefinitionKind kind) {
        try (Stream<Path> entries = Files.list(folder)) {
            Stream<Path> candidates = kind == DefinitionKind.SKILL
                    ? entries.map(path -> path.resolve(SKILL)).filter(Files::isRegularFile)
                    : entries.filter(path -> path.toString().matches(".+\\.ya?ml"));
            List<Path> found = candidates.sorted().limit(MAX_FILES + 1L).toList();
            if (found.size() > MAX_FILES) {
                throw new CommandException(folder + " has more than " + MAX_FILES + " files.");
            }
            return found;
        } catch (IOException e) {
            throw new CommandException(folder + " cannot be read: " + e.getMessage(), e);
        }
    }

    private static DefinitionFile read(DefinitionKind kind, Path path) {
        List<String> lines = new ArrayList<>();
        try {
            if (Files.size(path) > MAX_BYTES) {
                throw new CommandException(path + ": has more than a MiB");
            }
            lines = TextDecoder.read(path).lines().toList();
            ObjectNode body = switch (kind) {
                case SKILL -> skill(path, lines);
                case WORKFLOW -> workflow(path, TextDecoder.read(path));
                case ENDPOINT, TOOL, AGENT -> fields(path, lines);
            };
            return new DefinitionFile(kind, path, lines, body);
        } catch (JsonProcessingException e) {
            int line = e.getLocation() == null ? 1 : e.getLocation().getLineNr();
            throw new CommandException("%s:%d: %s"
                    .formatted(path, Math.min(line, Math.max(1, lines.size())), firstLine(e)));
        } catch (IOException e) {
            throw new CommandException(path + ": cannot be read: " + e.getMessage(), e);
        }
    }

    private static ObjectNode fields(Path path, List<String> lines) throws JsonProcessingException {
        ObjectNode body = object(path, String.join("\n", lines));
        if (!body.has("name")) {
            body.put("name", path.getFileName().toString().replaceFirst("\\.ya?ml$", ""));
        }
        return body;
    }

    /** A workflow is its unchanged text. Its name is namespace, name and version of the document. */
    private static ObjectNode workflow(Path path, String text) throws JsonProcessingException {
        JsonNode document = object(path, text).path("document");
        return YAML.createObjectNode()
                .put(
                        "name",
                        "%s:%s:%s"
                                .formatted(
                                        document.path("namespace").asText(),
                                        document.path("name").asText(),
                                        document.path("version").asText()))
                .put("definition", text);
    }

    private static ObjectNode object(Path path, String yaml) throws JsonProcessingException {
        if (YAML.readTree(yaml) instanceof ObjectNode body) {
            return body;
        }
        throw new CommandException(path + ":1: must have fields, such as description and what belongs to its kind");
    }

    /**
     * A skill in the format of agentskills.io: YAML between two lines of three hyphens, then its text. Further fields
     * of the API are allowed.
     */
    private static ObjectNode skill(Path path, List<String> lines) throws JsonProcessingException {
        int end = endOfFields(path, lines);
        String folder = path.getName(path.getNameCount() - 2).toString();
        // The blank first line keeps the line numbers of errors.
        ObjectNode body = object(path, "\n" + String.join("\n", lines.subList(1, end)));
        if (!body.path("name").asText(folder).equals(folder)) {
            throw new CommandException(path + ":2: the name of a skill is that of its folder, '" + folder + "'");
        }
        body.put("name", folder);
        body.put("text", String.join("\n", lines.subList(end + 1, lines.size())).strip());
        JsonNode version = body.path("metadata").path("version");
        if (!version.isMissingNode() && !body.has("version")) {
            body.put("version", version.asText());
        }
        putTools(body);
        return body.remove(List.of("license", "compatibility", "metadata", "allowed-tools"));
    }

    private static int endOfFields(Path path, List<String> lines) {
        boolean hasFields = lines.size() > 1 && lines.getFirst().strip().equals("---");
        return IntStream.range(1, hasFields ? lines.size() : 1)
                .filter(i -> lines.get(i).strip().equals("---"))
                .findFirst()
                .orElseThrow(() ->
                        new CommandException(path + ":1: a skill begins with '---', its fields in YAML, and '---'"));
    }

    private static void putTools(ObjectNode body) {
        JsonNode allowed = body.path("allowed-tools");
        if (allowed.isTextual() && !body.has("tools")) {
            var tools = body.putArray("tools");
            Stream.of(allowed.asText().strip().split("[\\s,]+"))
                    .filter(tool -> !tool.isEmpty())
                    .forEach(tool -> tools.addObject().put("tool", tool));
        }
    }

    private static String firstLine(JsonProcessingException e) {
        return String.valueOf(e.getOriginalMessage())
                .lines()
                .map(String::strip)
                .filter(line -> !line.isEmpty())
                .findFirst()
                .orElse("not valid YAML");
    }

    /** The path, with the first line of a field that the text names in quotes. */
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
