package dev.lookout;

import dev.lookout.v1.DownloadExportRequest;
import dev.lookout.v1.GetExportRequest;
import dev.lookout.v1.GetExportResponse;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;

/** Waits for exports and downloads their files. */
public final class Exports {
  private static final Duration ASK_EVERY = Duration.ofSeconds(1);
  private static final String SIGNATURE = "signature=";

  private final DataService data;

  private final int maxRetries;

  Exports(DataService data, int maxRetries) {
    this.data = data;
    this.maxRetries = maxRetries;
  }

  /**
   * Waits until an export is done.
   *
   * @throws LookoutException CONFLICT if it failed, was cancelled or has expired; TIMEOUT if it takes longer, and goes on
   */
  public GetExportResponse await(String exportId, Duration timeout) {
    long endNanos = System.nanoTime() + timeout.toNanos();
    while (true) {
      GetExportResponse export = data.getExport(GetExportRequest.newBuilder().setExportId(exportId).build());
      if (export.getStatus().equals("completed")) return export;
      if (!export.getStatus().equals("processing"))
        throw failure(LookoutException.CONFLICT, "The export is " + export.getStatus() + ": " + export.getReason());
      if (System.nanoTime() + ASK_EVERY.toNanos() > endNanos)
        throw failure(LookoutException.TIMEOUT, "The export was not done in time. It goes on: ask for it again");
      sleep(ASK_EVERY);
    }
  }

  /**
   * Writes the file of an export that is done, a ZIP archive, to a stream, and compares it with the checksum of the service. A download that
   * breaks off, or of which nothing comes for the client's timeout, goes on where it was: as often as a call is repeated without anything new
   * of the file. The stream is not closed, and has a part of the file if this throws.
   *
   * @throws LookoutException CONFLICT if it is not done, BAD_ANSWER if the file differs, and what the last try failed with
   * @throws IOException if the stream cannot be written
   */
  public void download(String exportId, OutputStream to) throws IOException {
    GetExportResponse export = data.getExport(GetExportRequest.newBuilder().setExportId(exportId).build());
    if (!export.getStatus().equals("completed"))
      throw failure(LookoutException.CONFLICT, "The export is " + export.getStatus() + ": " + export.getReason());
    DownloadExportRequest.Builder request =
        DownloadExportRequest.newBuilder().setExportId(exportId).setSignature(signatureOf(export));
    ExportFile file = new ExportFile(to);
    for (int failures = 0; ; ) {
      long before = file.written();
      try {
        pass(request.setOffset(before).build(), file);
        break;
      } catch (LookoutException failure) {
        failures = file.written() > before ? 1 : failures + 1;
        sleep(waitBefore(failure, failures, file));
      }
    }
    if (!file.sha256Hex().equals(export.getSha256()))
      throw failure(LookoutException.BAD_ANSWER, "The file of the export broke off or was changed. Download it again");
  }

  /**
   * Waits until an export is done, and writes its file: see {@link #download}. The path has the file, in place of one that was there, once all
   * of it has come; until then it is beside it, with the ending {@code .part}, which is removed if this throws.
   *
   * @throws LookoutException as {@link #await} and {@link #download}
   * @throws IOException if the file cannot be written
   */
  public void save(String exportId, Path file, Duration timeout) throws IOException {
    await(exportId, timeout);
    Path part = file.resolveSibling(file.getFileName() + ".part");
    try {
      try (OutputStream to = Files.newOutputStream(part)) {
        download(exportId, to);
      }
      Files.move(part, file, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(part);
    }
  }

  private void pass(DownloadExportRequest request, ExportFile file) throws IOException {
    file.begin();
    try (var parts = data.downloadExport(request)) {
      for (var part : parts) file.take(part);
    }
  }

  /** Throws the failure if the download is not tried again. One that cannot be opened was tried again already. */
  private Duration waitBefore(LookoutException failure, int failures, ExportFile file) {
    boolean isBroken = file.hasBegun() || failure.code().equals(LookoutException.BAD_ANSWER);
    if (failures > maxRetries || !failure.isTemporary() || !isBroken) throw failure;
    Duration wait = Retries.waitBefore(failure, failures);
    if (wait == null) throw failure;
    return wait;
  }

  private static void sleep(Duration wait) {
    try {
      Thread.sleep(wait.toMillis());
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw LookoutException.cancelled("The thread was interrupted", interrupted);
    }
  }

  private static String signatureOf(GetExportResponse export) {
    for (String each : URI.create(export.getDownloadUrl()).getQuery().split("&"))
      if (each.startsWith(SIGNATURE)) return each.substring(SIGNATURE.length());
    throw failure(LookoutException.BAD_ANSWER, "The export has no address that can be read");
  }

  private static LookoutException failure(String code, String message) {
    return new LookoutException(code, message, List.of(), null, null, null);
  }
}
