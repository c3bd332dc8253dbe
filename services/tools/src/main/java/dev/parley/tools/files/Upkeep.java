package dev.parley.tools.files;

import dev.parley.platform.service.Service;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Removes from workspaces what nobody needs any more. Every instance does it; a second time changes nothing. */
public final class Upkeep implements Service {
    private static final Logger LOG = LoggerFactory.getLogger(Upkeep.class);
    private static final Duration FIRST = Duration.ofMinutes(1);
    private static final Duration TIDY = Duration.ofHours(6);
    private static final Duration AGAIN = Duration.ofMinutes(1);

    private final Workspaces workspaces;
    private @Nullable Thread thread;

    public Upkeep(Workspaces workspaces) {
        this.workspaces = workspaces;
    }

    @Override
    public String name() {
        return "workspaces";
    }

    @Override
    public void start() {
        thread = Thread.ofVirtual().name("workspaces").start(this::run);
    }

    private void run() {
        try {
            TimeUnit.MILLISECONDS.sleep(FIRST.toMillis());
            while (true) {
                TimeUnit.MILLISECONDS.sleep((isTidied() ? TIDY : AGAIN).toMillis());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean isTidied() {
        try {
            workspaces.tidy();
            return true;
        } catch (RuntimeException | IOException e) {
            LOG.atWarn().setCause(e).log("workspaces cannot be tidied now; it is tried again");
            return false;
        }
    }

    @Override
    public Optional<String> problem() {
        return Optional.empty();
    }

    @Override
    public void close() {
        if (thread != null) {
            thread.interrupt();
        }
    }
}
