package dev.parley.platform.embedded;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.concurrent.ThreadLocalRandom;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Chooses TCP ports on 127.0.0.1 below the ephemeral range (Linux: 32768 and above), since an ephemeral port may be
 * taken between choice and use, or while a server is down.
 */
public final class Ports {
    private static final Logger LOG = LoggerFactory.getLogger(Ports.class);
    private static final int FIRST = 20_000;
    private static final int AFTER_LAST = 32_768;
    private static final int TRIES = 100;

    private Ports() {}

    /** Whether a port is free now. */
    public static boolean isFree(int port) {
        try {
            return bind(port) == port;
        } catch (IOException e) {
            return false;
        }
    }

    /**
     * The preferred port if it is free, otherwise another one.
     *
     * @param preferred 0 for any port
     */
    public static int freeOr(int preferred) {
        try {
            return preferred != 0 && isFree(preferred) ? preferred : another();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * The requested port if it is free, otherwise another one. Stores the choice, so that it stays the same after
     * restarts, and logs a change.
     *
     * @param lastTime file with the port of the last start
     * @param requested 0 for the port of the last start
     */
    static int choose(Path lastTime, int requested) throws IOException {
        var preferred = requested != 0
                ? requested
                : PrivateFiles.read(lastTime).map(Integer::parseInt).orElse(0);
        var chosen = freeOr(preferred);
        if (preferred != 0 && chosen != preferred) {
            LOG.warn("Port {} is taken; using {} instead ({})", preferred, chosen, lastTime.getFileName());
        }
        PrivateFiles.write(lastTime, chosen + "\n");
        return chosen;
    }

    private static int another() throws IOException {
        for (int i = 0; i < TRIES; i++) {
            int port = ThreadLocalRandom.current().nextInt(FIRST, AFTER_LAST);
            if (isFree(port)) {
                return port;
            }
        }
        return bind(0);
    }

    private static int bind(int port) throws IOException {
        try (var socket = new ServerSocket()) {
            socket.bind(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), port));
            return socket.getLocalPort();
        }
    }
}
