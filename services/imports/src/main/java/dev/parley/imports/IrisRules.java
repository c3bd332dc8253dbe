package dev.parley.imports;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.imports.SourceDatabase.Row;
import java.io.IOException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The permission rules of an Iris project. */
record IrisRules(SourceDatabase database, Destination to) {
    private static final Set<String> ACTIONS = Set.of("allow", "deny", "ask");

    /** Writes the rules of the project and the host. */
    void read() throws SQLException, IOException, InterruptedException {
        String sql = database.select("permissions", "id, permission, pattern, action, scope", "")
                + "WHERE scope <> 'session' ORDER BY id";
        database.each(sql, row -> {
            ObjectNode rule = rule(row);
            if (rule != null) {
                to.rule(rule, row.string("scope").equals("global"));
            }
        });
    }

    List<ObjectNode> ofSession(String id) throws SQLException, IOException, InterruptedException {
        var rules = new ArrayList<ObjectNode>();
        if (database.has("permissions")) {
            String sql = database.select("permissions", "id, permission, pattern, action", "")
                    + "WHERE session_id = ? AND scope = 'session' ORDER BY id";
            database.each(
                    sql,
                    row -> {
                        ObjectNode rule = rule(row);
                        if (rule != null) {
                            rules.add(rule);
                        }
                    },
                    id);
        }
        return rules;
    }

    /** Parses the rules of an agent or a session from a column. */
    List<ObjectNode> parse(@Nullable String json, String owner) {
        var rules = new ArrayList<ObjectNode>();
        for (JsonNode listed : SourceJson.read(json)) {
            ObjectNode rule = rule(
                    SourceJson.first(listed, "permission", "tool").asText(),
                    listed.path("pattern").asText(null),
                    listed.path("action").asText());
            if (rule == null) {
                to.skip("rules", "it is no {permission, pattern, action}", owner);
            } else {
                rules.add(rule);
            }
        }
        return rules;
    }

    private @Nullable ObjectNode rule(Row row) throws SQLException {
        ObjectNode rule = rule(row.string("permission"), row.text("pattern"), row.string("action"));
        if (rule == null) {
            to.skip("rules", "its action is none of allow, deny and ask", row.string("id"));
        }
        return rule;
    }

    private static @Nullable ObjectNode rule(String tool, @Nullable String pattern, String action) {
        if (!ACTIONS.contains(action) || tool.isBlank()) {
            return null;
        }
        ObjectNode rule = SourceJson.object().put("tool", tool).put("action", action);
        SourceJson.put(rule, "pattern", pattern == null || pattern.equals("*") ? null : pattern);
        return rule;
    }
}
