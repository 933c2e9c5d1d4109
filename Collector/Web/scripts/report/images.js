// How an image is called, where its own name says nothing to most people.

/** What the kernel maps into every process: "[vdso]", "linux-vdso.so.1". */
const kernels = /^(\[vdso\]|linux-vdso\.so)/;

export const imageName = (image) => kernels.test(image?.name ?? "") ? "kernel" : image?.name ?? "";
