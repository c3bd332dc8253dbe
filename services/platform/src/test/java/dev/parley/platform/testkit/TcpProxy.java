package dev.parley.platform.testkit;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** A proxy between a client and a local server that simulates network failures. */
@SuppressWarnings("JdkObsolete") // one thread writes a buffer while others read it
public final class TcpProxy implements Closeable {
    private static final int CHUNK = 8192;

    private final ServerSocket listening;
    private final int target;
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    /** What clients sent, a text for each connection. */
    private final List<StringBuffer> sent = new CopyOnWriteArrayList<>();

    private final Object network = new Object();
    private boolean silent;
    private volatile @Nullable String cutText;

    /** Starts a proxy to this port. */
    public TcpProxy(int target) {
        this.target = target;
        try {
            listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Thread.ofVirtual().name("proxy").start(this::accept);
    }

    /** The port that clients connect to. */
    public int port() {
        return listening.getLocalPort();
    }

    /** Holds back all bytes from now on, without closing connections. */
    public void silence() {
        synchronized (network) {
            silent = true;
        }
    }

    /** Forwards bytes again, including those held back. */
    public void heal() {
        synchronized (network) {
            silent = false;
            network.notifyAll();
        }
    }

    /** Breaks, once, the connection on which a server next sends this text, as soon as it is sent. */
    public void cutAfter(String text) {
        cutText = text;
    }

    /** Whether {@link #cutAfter} has taken effect. */
    public boolean hasCut() {
        return cutText == null;
    }

    /** What clients sent, a text for each connection. */
    public List<String> sent() {
        return sent.stream().map(StringBuffer::toString).toList();
    }

    private void accept() {
        while (!listening.isClosed()) {
            try {
                Socket client = listening.accept();
                Socket server = new Socket(InetAddress.getLoopbackAddress(), target);
                sockets.addAll(List.of(client, server));
                var traffic = new StringBuffer();
                sent.add(traffic);
                Thread.ofVirtual().name("proxy").start(() -> pump(client, server, traffic, false));
                Thread.ofVirtual().name("proxy").start(() -> pump(server, client, new StringBuffer(), true));
            } catch (IOException e) {
                // closed, or the server is not reachable
            }
        }
    }

    private void pump(Socket from, Socket to, StringBuffer traffic, boolean answers) {
        byte[] bytes = new byte[CHUNK];
        try (from;
                to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int n = in.read(bytes); n >= 0; n = in.read(bytes)) {
                awaitNetwork();
                out.write(bytes, 0, n);
                traffic.append(new String(Arrays.copyOf(bytes, n), StandardCharsets.ISO_8859_1));
                if (answers && ends(traffic)) {
                    return;
                }
            }
        } catch (IOException e) {
            // one side has closed; the other is closed below
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            sockets.removeAll(List.of(from, to));
        }
    }

    private synchronized boolean ends(StringBuffer traffic) {
        String expected = cutText;
        if (expected == null || traffic.indexOf(expected) < 0) {
            return false;
        }
        cutText = null;
        return true;
    }

    private void awaitNetwork() throws InterruptedException {
        synchronized (network) {
            while (silent) {
                network.wait();
            }
        }
    }

    @Override
    public void close() {
        heal();
        try {
            listening.close();
            for (Socket socket : sockets) {
                socket.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
