package dev.parley.platform.testkit;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;

/** Tests wait as long as a busy machine needs; one that is well does not wait. */
public final class Patience implements LauncherSessionListener {
    private static final Duration LONGEST = Duration.ofSeconds(60);

    @Override
    public void launcherSessionOpened(LauncherSession session) {
        Awaitility.setDefaultTimeout(LONGEST);
        // what is not there yet cannot be read; a wait in vain names the last one
        Awaitility.ignoreExceptionsByDefault();
    }
}
