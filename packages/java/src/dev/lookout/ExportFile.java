package dev.lookout;

import java.io.IOException;
import java.io.OutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** A file over one download or several, of which each begins with what is written already. */
final class ExportFile {
  private final OutputStream to;
  private final MessageDigest sum = sha256();
  private long written;
  // How many bytes of the file this download has passed.
  private long passed;

  ExportFile(OutputStream to) {
    this.to = to;
  }

  /** The next download begins. */
  void begin() {
    passed = 0;
  }

  /** Whether anything has come of this download. */
  boolean hasBegun() {
    return passed > 0;
  }

  void take(byte[] part) throws IOException {
    int known = (int) Math.min(part.length, written - passed);
    to.write(part, known, part.length - known);
    sum.update(part, known, part.length - known);
    passed += part.length;
    written = Math.max(written, passed);
  }

  String sha256Hex() {
    return HexFormat.of().formatHex(sum.digest());
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException error) {
      throw new IllegalStateException(error);
    }
  }
}
