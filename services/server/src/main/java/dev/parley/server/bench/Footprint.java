package dev.parley.server.bench;

import dev.parley.platform.database.Database;
import dev.parley.platform.database.Tenant;
import dev.parley.server.Instance;
import java.lang.management.ManagementFactory;

/**
 * What the process holds.
 *
 * @param heap bytes in use after a collection
 * @param connections to Postgres
 * @param threads of the platform
 */
record Footprint(long heap, int connections, int threads) {
    private static final String CONNECTIONS = "SELECT count(*) FROM pg_stat_activity WHERE usename = current_user";

    static Footprint of(Instance instance) {
        int connections = instance.beans()
                .getBean(Database.class)
                .in(Tenant.NONE, transaction -> transaction.query(CONNECTIONS, row -> row.next() ? row.getInt(1) : 0));
        var memory = ManagementFactory.getMemoryMXBean();
        for (int i = 0; i < 3; i++) {
            memory.gc();
        }
        return new Footprint(
                memory.getHeapMemoryUsage().getUsed(),
                connections,
                ManagementFactory.getThreadMXBean().getThreadCount());
    }

    void print(String when) {
        System.out.printf(
                "%s: %.1f MiB of heap, %d connections to Postgres, %d threads%n",
                when, heap / 1048576.0, connections, threads);
    }
}
