package dev.parley.bench;

import dev.parley.platform.database.Database;
import dev.parley.platform.database.Tenant;
import dev.parley.server.Instance;
import java.lang.management.ManagementFactory;

/**
 * Resources in use by the process.
 *
 * @param heap bytes after a collection
 * @param connections number of connections to Postgres
 * @param threads number of platform threads
 */
record ResourceUsage(long heap, int connections, int threads) {
    private static final String CONNECTIONS = "SELECT count(*) FROM pg_stat_activity WHERE usename = current_user";

    static ResourceUsage of(Instance instance) {
        int connections = instance.beans()
                .getBean(Database.class)
                .in(Tenant.NONE, transaction -> transaction.query(CONNECTIONS, row -> row.next() ? row.getInt(1) : 0));
        var memory = ManagementFactory.getMemoryMXBean();
        for (int i = 0; i < 3; i++) {
            memory.gc();
        }
        return new ResourceUsage(
                memory.getHeapMemoryUsage().getUsed(),
                connections,
                ManagementFactory.getThreadMXBean().getThreadCount());
    }

    void print(String label) {
        System.out.printf(
                "%s: %.1f MiB of heap, %d connections to Postgres, %d threads%n",
                label, heap / 1048576.0, connections, threads);
    }
}
