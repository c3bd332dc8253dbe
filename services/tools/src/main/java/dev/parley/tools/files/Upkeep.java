package dev.parley.tools.files;

import dev.parley.platform.service.Recurring;
import java.io.IOException;
import java.time.Duration;

/** Removes from workspaces what nobody needs any more. Every instance does it; a second time changes nothing. */
public final class Upkeep extends Recurring {
    private static final Duration FIRST = Duration.ofMinutes(1);
    private static final Duration TIDY = Duration.ofHours(6);
    private static final Duration AGAIN = Duration.ofMinutes(1);

    private final Workspaces workspaces;

    public Upkeep(Workspaces workspaces) {
        super("workspaces", FIRST, "workspaces cannot be tidied now");
        this.workspaces = workspaces;
    }

    @Override
    protected void pass() throws IOException {
        workspaces.tidy();
    }

    @Override
    protected Duration rest(boolean failed) {
        return failed ? AGAIN : TIDY;
    }
}
