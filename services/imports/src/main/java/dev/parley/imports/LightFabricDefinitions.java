package dev.parley.imports;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.imports.Destination.Kind;
import dev.parley.imports.SourceDatabase.Row;
import java.io.IOException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The tools, skills and agents of a host of Light-Fabric. */
final class LightFabricDefinitions {
    private final LightFabricRows rows;
    private final Destination to;
    private final Map<String, String> tools = new HashMap<>();
    private final Map<String, Skill> skills = new LinkedHashMap<>();
    private final Map<String, String> agents = new HashMap<>();

    /** A skill, with its new name and version. */
    private record Skill(
            String id,
            String name,
            String version,
            @Nullable String parent) {}

    LightFabricDefinitions(LightFabricRows rows, Destination to) {
        this.rows = rows;
        this.to = to;
    }

    void read() throws SQLException, IOException, InterruptedException {
        rows.each(
                "tool_t",
                "tool_id, name, description",
                "implementation_type, implementation_class, mcp_server_name, api_endpoint, api_method, endpoint_id,"
                        + " script_content, response_schema, version",
                "ORDER BY name, version, tool_id",
                this::tool);
        skills();
        rows.each(
                "agent_definition_t",
                "agent_def_id, agent_name, model_provider, model_name",
                "api_key_ref, temperature, max_tokens",
                "ORDER BY agent_name",
                this::agent);
    }

    /** The new name of an imported agent, or null. */
    @Nullable
    String agent(@Nullable String id) {
        return id == null ? null : agents.get(id);
    }

    private static String version(Row row) throws SQLException {
        return Objects.requireNonNullElse(row.text("version"), "1.0.0");
    }

    private void tool(Row row) throws SQLException, IOException, InterruptedException {
        String name = row.string("name");
        ObjectNode body =
                SourceJson.object().put("name", ImportedNames.tool(name)).put("version", version(row));
        body.put("description", to.description("tools", name, row.text("description")));
        String problem = implement(row, body, name);
        if (problem != null) {
            to.skip("tools", problem, name);
            return;
        }
        noteEndpoint(row, name);
        if (SourceJson.read(row.text("response_schema")) instanceof ObjectNode schema && !schema.isEmpty()) {
            body.set("responseSchema", schema);
        }
        parameters(row.string("tool_id"), body.putArray("parameters"));
        to.noteName("tools", name, body.path("name").asText());
        tools.put(row.string("tool_id"), body.path("name").asText());
        to.define(Kind.TOOLS, body);
    }

    /** Adds the implementation; returns the reason for which the tool cannot be imported, or null. */
    private @Nullable String implement(Row row, ObjectNode body, String name) throws SQLException {
        String type = row.string("implementation_type");
        ObjectNode implementation = body.putObject("implementation");
        body.put("type", type);
        return switch (type) {
            case "rest" -> {
                implementation.put("url", row.string("api_endpoint"));
                SourceJson.put(implementation, "method", row.text("api_method"));
                yield null;
            }
            case "python", "javascript" -> {
                implementation.put("script", row.string("script_content"));
                body.put("enabled", false);
                to.note("tools", Destination.SCRIPT_DISABLED, name);
                yield null;
            }
            case "mcp_server" ->
                "it names an MCP server without its address: define it with POST /v1/projects/{project}/mcp-tools";
            case "java" -> "it is a class of Light-Fabric: write it as a plug-in (docs/tools/plugins.md)";
            default -> "its implementation_type is none of rest, python, javascript, mcp_server and java";
        };
    }

    private void noteEndpoint(Row row, String name) throws SQLException {
        if (row.text("endpoint_id") != null) {
            to.note(
                    "tools",
                    "who may use its endpoint is not taken: allow it with rules, or make an endpoint (docs/tools/rest.md)",
                    name);
        }
    }

    private void parameters(String tool, ArrayNode parameters) throws SQLException, IOException, InterruptedException {
        rows.each(
                "tool_param_t",
                "tool_id, name, param_type",
                "required, default_value, description, validation_schema, order_index",
                rows.and("tool_id") + "ORDER BY order_index, name",
                row -> parameter(row, parameters.addObject()),
                tool);
    }

    private static void parameter(Row row, ObjectNode parameter) throws SQLException {
        parameter.put("name", row.string("name")).put("type", row.string("param_type"));
        parameter.put("required", row.is("required", true));
        JsonNode defaultValue = SourceJson.read(row.text("default_value"));
        if (!defaultValue.isMissingNode() && !defaultValue.isNull()) {
            parameter.set("defaultValue", defaultValue);
            parameter.put("required", false);
        }
        SourceJson.put(parameter, "description", row.text("description"));
        if (SourceJson.read(row.text("validation_schema")) instanceof ObjectNode validation && !validation.isEmpty()) {
            parameter.set("validation", validation);
        }
    }

    private void skills() throws SQLException, IOException, InterruptedException {
        rows.each("skill_t", "skill_id, name", "parent_skill_id, version", "ORDER BY name, version, skill_id", row -> {
            String id = row.string("skill_id");
            skills.put(
                    id,
                    new Skill(id, ImportedNames.skill(row.string("name")), version(row), row.text("parent_skill_id")));
        });
        var defined = new LinkedHashSet<String>();
        for (String id : List.copyOf(skills.keySet())) {
            skill(id, defined);
        }
    }

    /** Defines a skill after the skills that it references; the server reports cycles. */
    private void skill(@Nullable String id, Set<String> defined)
            throws SQLException, IOException, InterruptedException {
        Skill skill = id == null ? null : skills.get(id);
        if (skill == null || !defined.add(skill.id())) {
            return;
        }
        skill(skill.parent(), defined);
        Map<String, Boolean> needs = needs(skill.id());
        for (String need : needs.keySet()) {
            skill(need, defined);
        }
        for (ObjectNode body : bodies(skill, needs)) {
            toolsOfSkill(skill.id(), body);
            to.define(Kind.SKILLS, body);
        }
    }

    private List<ObjectNode> bodies(Skill skill, Map<String, Boolean> needs)
            throws SQLException, IOException, InterruptedException {
        var bodies = new ArrayList<ObjectNode>();
        rows.each(
                "skill_t",
                "skill_id, name, content_markdown",
                "description",
                rows.and("skill_id"),
                row -> bodies.add(body(skill, row, needs)),
                skill.id());
        return bodies;
    }

    private ObjectNode body(Skill skill, Row row, Map<String, Boolean> needs) throws SQLException {
        String name = row.string("name");
        to.noteName("skills", name, skill.name());
        ObjectNode body = SourceJson.object().put("name", skill.name()).put("version", skill.version());
        body.put("description", to.description("skills", name, row.text("description")));
        body.put("text", row.string("content_markdown"));
        Skill parent = skill.parent() == null ? null : skills.get(skill.parent());
        if (parent != null && !parent.name().equals(skill.name())) {
            body.put("parent", parent.name());
        }
        needs.forEach((id, required) -> {
            Skill need = skills.get(id);
            if (need != null && !need.name().equals(skill.name())) {
                body.withArray("needs").addObject().put("skill", need.name()).put("required", required);
            }
        });
        return body;
    }

    /** The needed skills by id; the value is true for a required skill. */
    private Map<String, Boolean> needs(String skill) throws SQLException, IOException, InterruptedException {
        var needs = new LinkedHashMap<String, Boolean>();
        rows.each(
                "skill_dependency_t",
                "skill_id, depends_on_skill_id",
                "required",
                rows.and("skill_id") + "ORDER BY depends_on_skill_id",
                row -> needs.put(row.string("depends_on_skill_id"), row.is("required", true)),
                skill);
        return needs;
    }

    private void toolsOfSkill(String skill, ObjectNode body) throws SQLException, IOException, InterruptedException {
        rows.each(
                "skill_tool_t",
                "skill_id, tool_id",
                "config, access_level",
                rows.and("skill_id") + "ORDER BY tool_id",
                row -> toolOfSkill(row, body),
                skill);
    }

    private void toolOfSkill(Row row, ObjectNode body) throws SQLException {
        String skill = body.path("name").asText();
        String tool = tools.get(row.string("tool_id"));
        if (tool == null) {
            to.note("skills", "a tool of it is not taken", skill);
            return;
        }
        ObjectNode link = body.withArray("tools").addObject().put("tool", tool);
        SourceJson.put(link, "access", row.text("access_level"));
        if (!SourceJson.read(row.text("config")).isEmpty()) {
            to.note("skills", "what it configures of its tools is not taken: see 'arguments' in docs/skills.md", skill);
        }
    }

    private void agent(Row row) throws SQLException, IOException, InterruptedException {
        String name = row.string("agent_name");
        ObjectNode body = SourceJson.object().put("name", ImportedNames.agent(name));
        body.put("model", row.string("model_provider").toLowerCase(Locale.ROOT) + "/" + row.string("model_name"));
        body.put("temperature", row.decimal("temperature"));
        if (row.number("max_tokens") > 0) {
            body.put("maxTokens", row.number("max_tokens"));
        }
        to.noteName("agents", name, body.path("name").asText());
        agents.put(row.string("agent_def_id"), body.path("name").asText());
        if (row.text("api_key_ref") != null) {
            to.skip("credentials", "secrets are not taken: set anew with POST /v1/credentials", name);
        }
        skillsOfAgent(row.string("agent_def_id"), body);
        to.define(Kind.AGENTS, body);
    }

    private void skillsOfAgent(String agent, ObjectNode body) throws SQLException, IOException, InterruptedException {
        rows.each(
                "agent_skill_t",
                "agent_def_id, skill_id",
                "config, priority, sequence_id",
                rows.and("agent_def_id") + "ORDER BY sequence_id, skill_id",
                row -> skillOfAgent(row, body),
                agent);
    }

    private void skillOfAgent(Row row, ObjectNode body) throws SQLException {
        Skill skill = skills.get(row.string("skill_id"));
        if (skill == null) {
            to.note("agents", "a skill of it is not taken", body.path("name").asText());
            return;
        }
        ObjectNode link =
                body.withArray("skills").addObject().put("name", skill.name()).put("version", skill.version());
        link.put("priority", row.number("priority"));
        if (SourceJson.read(row.text("config")) instanceof ObjectNode config && !config.isEmpty()) {
            link.set("config", config);
        }
    }
}
