package dev.parley.platform.config;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.domain.definition.Agent;
import dev.parley.domain.document.Fault;
import dev.parley.platform.json.JsonMappers;
import dev.parley.platform.outbound.TextDecoder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Reads an agent from a separate file, as {@code ./parley apply} does, without publishing it. */
public final class AgentFile {
    private static final long MAX_BYTES = 1 << 20;

    private static final ObjectMapper YAML = JsonMappers.yaml().enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION);

    private AgentFile() {}

    /**
     * Reads an agent from a YAML file. Without {@code name} it has the name of the file.
     *
     * @throws ConfigException if it is invalid, or does not fit the providers of this configuration
     */
    public static Agent read(Path file, ParleyConfig config) {
        String path = file.toString();
        try {
            if (Files.size(file) > MAX_BYTES) {
                throw new ConfigException(path, "has more than a MiB");
            }
            if (!(YAML.readTree(TextDecoder.read(file)) instanceof ObjectNode fields)) {
                throw new ConfigException(path, "must have fields, such as model and prompt");
            }
            if (!fields.has("name")) {
                fields.put("name", String.valueOf(file.getFileName()).replaceFirst("\\.ya?ml$", ""));
            }
            Agent agent = new AgentSectionReader("", "").agent(path, YAML.treeToValue(fields, Object.class));
            List<Fault> faults = AgentCheck.faults(agent, config.providers());
            if (!faults.isEmpty()) {
                throw ConfigException.of(path, faults);
            }
            return agent;
        } catch (IOException e) {
            throw new ConfigException(path, "cannot be read: " + e.getMessage(), e);
        }
    }
}
