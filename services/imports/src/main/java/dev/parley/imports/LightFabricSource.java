package dev.parley.imports;

import dev.parley.server.client.CommandException;
import java.io.IOException;
import java.sql.SQLException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Light-Fabric: tables of one host, whose names end with {@code _t}. Only active rows are imported.
 *
 * @param host whose rows are imported, or null where there is only one
 * @param user whose banks and sessions become the caller's, or null for none
 */
record LightFabricSource(
        Supplier<SourceDatabase> open,
        @Nullable String host,
        @Nullable String user) implements ImportSource {
    @Override
    public String system() {
        return "light-fabric";
    }

    @Override
    public void read(Destination to) throws SQLException, IOException, InterruptedException {
        try (SourceDatabase database = open.get()) {
            database.select("agent_definition_t", "host_id, agent_def_id, agent_name", "");
            var rows = new LightFabricRows(database, hostOf(database));
            var definitions = new LightFabricDefinitions(rows, to);
            definitions.read();
            new LightFabricBanks(rows, to, definitions, user).read();
            to.skip(
                    "workflows",
                    "definitions are not imported: publish them with ./parley workflow publish",
                    rows.count("wf_definition_t"));
            to.skip(
                    "workflows",
                    "running processes and tasks are not imported",
                    rows.count("process_info_t") + rows.count("task_info_t"));
            to.skip("worklists", "worklists are not imported", rows.count("worklist_t"));
            to.skip("reflections", "banks make their own", rows.count("agent_memory_reflection_t"));
            to.skip("audit", "what was done there stays there", rows.count("audit_log_t"));
        }
    }

    private String hostOf(SourceDatabase database) throws SQLException, IOException, InterruptedException {
        var hosts = new LinkedHashSet<String>();
        for (String table : List.of("agent_definition_t", "skill_t", "tool_t", "agent_memory_bank_t")) {
            if (database.has(table)) {
                database.each(
                        "SELECT DISTINCT host_id FROM " + table + " ORDER BY host_id",
                        row -> hosts.add(row.string("host_id")));
            }
        }
        if (host == null && hosts.size() > 1) {
            throw new CommandException("There are several hosts in it: name one with --host: "
                    + String.join(", ", hosts.stream().limit(20).toList()));
        }
        if (host != null && !hosts.contains(host)) {
            throw new CommandException("The database has no data of the host " + host + ".");
        }
        return host != null ? host : hosts.isEmpty() ? "" : hosts.getFirst();
    }
}
